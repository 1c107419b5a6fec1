// Handles single-op routes: the op is one change, identified by the `Idempotency-Key` of the request.
import type { Op } from '../../workers/contract/ops/index.js'
import { replayedHeader } from '../http/answer.js'
import { topUpOf, withNumbers } from '../object-numbers/top-up.js'
import { type DocumentContext, ReplayedJson } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import { applyChange } from './apply-change.js'
import { auditKindOf } from './audit-kinds.js'
import { opIdOf } from './idempotency-key.js'
import { refuseUnnamed } from './resource-keys.js'
import { withoutType } from './stored-change.js'

/**
 * Applies one op to the layer of the request and returns its item without `type`, with complete `meta`. Throws the
 * refusal of the op. A repeated request with the same key and op returns the stored response; with another op it throws
 * `IdempotencyKeyReused`.
 *
 *     handle: ({ body }, context) => writeOne(context, { type: 'pages.rotate', ...body })
 */
export async function writeOne(context: DocumentContext, op: Op): Promise<unknown> {
  const kind = auditKindOf(op)
  refuseUnnamed(context.resources(), [op])
  const {
    outcome,
    isReplay,
    numbers = [],
  } = await applyChange(context, {
    opId: opIdOf(context),
    kind,
    work: { kind: 'ops', ops: [op] },
    numbersWanted: topUpOf(context),
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
  return isReplay ? new ReplayedJson(answer) : withNumbers(answer, numbers)
}

/**
 * Returns the refusal that is sent in place of an erased response, because a response without its required members
 * would break clients.
 */
const withheld = (meta: unknown) =>
  new Refusal('NotFound', 'The change was applied, but a redaction has erased its response since', {
    details: { reason: 'withheld', meta },
    headers: { [replayedHeader]: 'true' },
  })
