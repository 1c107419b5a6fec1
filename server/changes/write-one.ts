// Writes of one op each (all but `doc.changes`): the op is a change by itself, named by the request's `Idempotency-Key`.
import { Refusal } from '../errors.js'
import { replayedHeader } from '../http/answer.js'
import { type DocumentContext, Replayed } from '../operation.js'
import { applyChange } from './apply-change.js'
import { opIdOf } from './idempotency-key.js'
import type { Op } from './words.js'

/** What a route answers of the item of its op. */
type Finish = (item: Readonly<Record<string, unknown>>) => unknown

/**
 * Applies one op to the layer of the request and answers its item without `type`, `meta` completed. Throws what refused
 * it. Asked again with the same key and op, it answers the same and does nothing; with another op it throws
 * `IdempotencyKeyReused`. Files of the request are at hand under their keys.
 *
 *     handle: ({ body }, context) => writeOne(context, { type: 'pages.rotate', ...body })
 */
export async function writeOne(context: DocumentContext, op: Op, finish: Finish = (item) => item): Promise<unknown> {
  const { outcome, isReplay } = await applyChange(context, { opId: opIdOf(context), work: { ops: [op] } })
  if (outcome.status === 'refused') {
    const { code, message, details } = outcome.error
    throw new Refusal(code, message, {
      ...(details ? { details } : {}),
      ...(isReplay ? { headers: { [replayedHeader]: 'true' } } : {}),
    })
  }
  const [first] = outcome.result.items
  if (first === undefined) throw new Error('An applied op has no item')
  const { type: _type, ...item } = first
  return isReplay ? new Replayed(finish(item)) : finish(item)
}
