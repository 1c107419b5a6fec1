// Writes of one op each (all but `doc.changes`): the op is a change by itself, named by the request's `Idempotency-Key`.
import type { Op } from '../../workers/contract/ops/index.js'
import { replayedHeader } from '../http/answer.js'
import { type DocumentContext, Replayed } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import { applyChange } from './apply-change.js'
import { auditKindOf } from './audit-kinds.js'
import { opIdOf } from './idempotency-key.js'
import { refuseUnnamed } from './resource-keys.js'
import { withoutType } from './stored-change.js'

/**
 * Applies one op to the layer of the request and answers its item without `type`, `meta` completed. Throws what refused
 * it. Asked again with the same key and op, it answers the same and does nothing; with another op it throws
 * `IdempotencyKeyReused`. Files of the request are at hand under their keys.
 *
 *     handle: ({ body }, context) => writeOne(context, { type: 'pages.rotate', ...body })
 */
export async function writeOne(context: DocumentContext, op: Op): Promise<unknown> {
  const kind = auditKindOf(op)
  refuseUnnamed(context.resources(), [op])
  const { outcome, isReplay } = await applyChange(context, {
    opId: opIdOf(context),
    kind,
    work: { kind: 'ops', ops: [op] },
  })
  if (outcome.status === 'refused') {
    const { code, message, details } = outcome.error
    throw new Refusal(code, message, {
      ...(details ? { details } : {}),
      ...(isReplay ? { headers: { [replayedHeader]: 'true' } } : {}),
    })
  }
  const [first] = outcome.result.items
  if (first === undefined) throw withheld(outcome.result.meta)
  const answer = withoutType(first)
  return isReplay ? new Replayed(answer) : answer
}

/** Refusal in place of an erased response: one without the members its operation promises would break clients. */
const withheld = (meta: unknown) =>
  new Refusal('NotFound', 'The change was applied, but a redaction has erased its response since', {
    details: { reason: 'withheld', meta },
    headers: { [replayedHeader]: 'true' },
  })
