// Why a CMS is refused: the first check that it fails.
import type { IntegrityCheck } from '../../contract/signatures/verification.js'
import { Asn1Error } from '../asn1/element.js'

export class CmsFailure extends Error {
  constructor(
    readonly check: IntegrityCheck,
    /** A sentence for people, without a full stop. */
    reason: string,
    /** `indeterminate`: the check could not be made. */
    readonly verdict: 'broken' | 'indeterminate' = 'broken',
  ) {
    super(reason)
    this.name = 'CmsFailure'
  }
}

/** Runs work whose errors about structure are failures of one check. */
export function structured<Value>(check: IntegrityCheck, what: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (error instanceof Asn1Error) throw new CmsFailure(check, `${what} cannot be read: ${error.message}`)
    throw error
  }
}
