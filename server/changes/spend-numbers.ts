// Uses up the reserved numbers that the ops of a change name.
import type { Op } from '../../workers/contract/ops/index.js'
import { limits } from '../limits.js'
import { includes, type NumberRange, without } from '../object-numbers/ranges.js'
import { isValid, reservedSlotOf } from '../object-numbers/slot.js'
import { Refusal } from '../refusals/refusal.js'
import { addHeld } from '../storage/share-count.js'
import type { Transaction } from '../storage/transaction.js'
import type { ChangeState } from './state.js'

/**
 * Takes the numbers from the caller's reservation, and keeps the rest of it alive. Throws `ObjectNumberUnavailable` for
 * one that the caller does not hold.
 */
export async function spendNumbers(transaction: Transaction, state: ChangeState, ops: readonly Op[]): Promise<void> {
  const numbers = ops.flatMap(numbersIn)
  if (numbers.length === 0) return
  const { context, document } = state
  const nowMs = context.deployment.clock.now()
  const slot = reservedSlotOf(context)
  const row = await transaction.read(slot)
  let ranges: readonly NumberRange[] = row !== undefined && isValid(row, document, nowMs) ? row.ranges : []
  for (const objectNumber of numbers) {
    if (!includes(ranges, objectNumber)) {
      throw new Refusal(
        'ObjectNumberUnavailable',
        `The caller holds no reservation of the object number ${objectNumber}`,
        {
          details: { objectNumber, reason: 'not-held' },
        },
      )
    }
    ranges = without(ranges, objectNumber)
  }
  if (row === undefined) return
  const until = nowMs + limits.reservedNumbersMs
  transaction.put(slot, { ...row, ranges: [...ranges], expiresAt: until })
  await addHeld(transaction, context.deployment.tables, { owner: state.owner, row, change: -numbers.length, until })
}

/** Returns the object numbers that an op chooses. */
function numbersIn(op: Op): readonly number[] {
  const { objectNumber, widgetObjectNumbers = [], splitObjectNumber } = op as ChosenNumbers
  return [objectNumber, ...widgetObjectNumbers, splitObjectNumber].filter((number) => number !== undefined)
}

interface ChosenNumbers {
  readonly objectNumber?: number
  readonly widgetObjectNumbers?: readonly number[]
  readonly splitObjectNumber?: number
}
