// Creates the audit rows of the three steps of a signing. The payload is the response of the step, with the signing id.
import type { CacheDelta } from '../../workers/contract/mutation-meta.js'
import { subjectOf } from '../auth/caller.js'
import type { ChangeState } from '../changes/state.js'
import { encodeStoredChange } from '../changes/stored-change.js'
import { isSealed, storeContents } from '../layers/content.js'
import { recordedSessionOf } from '../operation/session-id.js'
import type { AuditRow } from '../rows/audit.js'
import { countedAudit } from '../storage/counted-audit.js'

export interface SigningStep {
  readonly kind: 'signature.prepare' | 'signature.complete' | 'signature.cancel'
  readonly signingId: string
  readonly payload: object
  readonly affectedPages: readonly number[]
  readonly cacheDelta: CacheDelta | null
  /** `editsVersion` of the layer after the step. */
  readonly editsVersion: number
  readonly now: number
}

/** Item type under which the payload is stored; it decides who may see the payload. */
const itemTypes: Readonly<Record<SigningStep['kind'], string>> = {
  'signature.prepare': 'signatures.prepare',
  'signature.complete': 'signatures.complete',
  'signature.cancel': 'signatures.cancel',
}

/** Stores the payload and returns the row that names it. */
export async function storeSigningAudit(
  { context, owner, document }: ChangeState,
  step: SigningStep,
): Promise<AuditRow> {
  const { kind, signingId, payload, affectedPages, cacheDelta, editsVersion, now } = step
  const type = itemTypes[kind]
  const pages = affectedPages.map((objectNumber) => ({ kind: 'objectNumber', objectNumber }) as const)
  const meta = { affectedPages: pages, cacheDelta, opId: signingId, undoable: false }
  const answer = { items: [{ ...payload, type, signingId }], meta }
  const pieces = [encodeStoredChange({ answer, undo: null, groups: [] })]
  const storing = { layer: owner, isSealed: isSealed(document), pieces }
  const [content = null] = await storeContents(context.deployment, storing)
  const [page = null] = affectedPages
  return countedAudit({
    layerName: owner.layerName,
    editsVersion,
    at: now,
    sub: subjectOf(context.caller),
    kind,
    page: affectedPages.length === 1 ? page : null,
    affectedPages: [...affectedPages],
    originSessionId: recordedSessionOf(context),
    opId: signingId,
    undoOf: null,
    content,
    cacheDelta,
    isUndoable: false,
    rights: [{ op: type, annotation: null }],
  })
}
