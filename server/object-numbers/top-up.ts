// Object numbers that come with the response of a write, so that the client names its next objects without a request of
// its own. They are reserved in the transaction of the write, which takes no time, and a repeated write reserves none.
import { limits } from '../limits.js'
import { hasRights, permissionBitsIn } from '../operation/authority.js'
import { type DocumentContext, WithHeaders } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import { topUpHeaders } from '../schemas/object-numbers.js'
import type { Transaction } from '../storage/transaction.js'
import type { NumberRange } from './ranges.js'
import { reserveIn, reserving } from './reserve-numbers.js'

/**
 * Returns how many numbers a request asks for. It is 0 for those who may not reserve and for malformed headers, because
 * the write is made in any case.
 */
export function topUpOf(context: DocumentContext): number {
  const { caller, headers } = context
  const wanted = headers[topUpHeaders.wanted.toLowerCase()]
  if (caller.kind !== 'document' || typeof wanted !== 'string' || !/^[1-9][0-9]{0,8}$/.test(wanted)) return 0
  if (Number(wanted) > limits.reservationMax || !hasRights(reserving, caller, permissionBitsIn(context))) return 0
  return Number(wanted)
}

/** Reserves numbers after the rows of a write were put. Returns none if the document has no free ones. */
export async function topUp(
  transaction: Transaction,
  context: DocumentContext,
  count: number,
): Promise<readonly NumberRange[]> {
  if (count === 0) return []
  try {
    return (await reserveIn(transaction, context, count)).objectNumbers
  } catch (error) {
    if (error instanceof Refusal && error.code === 'LayerFull') return []
    throw error
  }
}

/** Ranges that the header names; the caller holds further ones, which its next reservations return. */
const rangesMax = 200

export function withNumbers(answer: object, ranges: readonly NumberRange[]): object {
  if (ranges.length === 0) return answer
  const runs = ranges.slice(0, rangesMax).map(({ first, count }) => `${first}-${first + count - 1}`)
  return new WithHeaders({ [topUpHeaders.reserved]: runs.join(', ') }, answer)
}
