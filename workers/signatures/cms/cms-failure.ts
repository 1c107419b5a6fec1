// Failure of a CMS: the first check that it does not pass.
import type { IntegrityCheck } from '../../contract/signatures/verification.js'
import { Asn1Error } from '../asn1/element.js'
import { UnsupportedAlgorithm } from './signature-scheme.js'

export class CmsFailure extends Error {
  constructor(
    readonly check: IntegrityCheck,
    /** Reason, a sentence for people without a full stop. */
    reason: string,
    /** Verdict that follows. `indeterminate`: the check could not be made. */
    readonly verdict: 'broken' | 'indeterminate' = 'broken',
  ) {
    super(reason)
    this.name = 'CmsFailure'
  }
}

/** Parses a part of a CMS. A part that cannot be read fails the check. */
export function parseFor<Value>(check: IntegrityCheck, part: string, parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    if (error instanceof Asn1Error) throw new CmsFailure(check, `${part} cannot be read: ${error.message}`)
    throw error
  }
}

/** Runs work in which an unsupported algorithm makes the check of the signature value impossible. */
export function requireSupported<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (error instanceof UnsupportedAlgorithm) throw new CmsFailure('signature-value', error.message, 'indeterminate')
    throw error
  }
}
