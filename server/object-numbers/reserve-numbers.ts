// Reserves object numbers for a caller, who names objects with them before they are created. No change assigns a
// reserved number by itself, because they are below the document's `nextObject`.
import type { Static } from 'typebox'
import { notReadable } from '../documents/not-readable.js'
import { limits } from '../limits.js'
import type { Authority, DocumentContext } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import type { ReservedNumbers } from '../schemas/object-numbers.js'
import { documentLease } from '../storage/removals.js'
import { type Transaction, transact } from '../storage/transaction.js'
import { type NumberRange, sizeOf, takeFirst } from './ranges.js'
import { isValid, reservedSlotOf } from './slot.js'

/** Rights that a reservation needs: those to create annotations. */
export const reserving = {
  kind: 'document',
  capabilities: ['doc.annotate.modify'],
  orCollab: 'create',
} as const satisfies Authority

export interface Reservation extends Static<typeof ReservedNumbers> {
  /** True if the caller held numbers before that remain valid. */
  readonly isContinued: boolean
}

/** Reserves numbers. Throws `LayerFull`. */
export async function reserveNumbers(context: DocumentContext, count: number): Promise<Reservation> {
  const { deployment, document } = context
  return deployment.leases.hold(documentLease(document.internal), () =>
    transact(deployment, (transaction) => reserveIn(transaction, context, count)),
  )
}

/** Reserves numbers within a transaction. Throws `LayerFull` before anything is put. */
export async function reserveIn(
  transaction: Transaction,
  context: DocumentContext,
  count: number,
): Promise<Reservation> {
  const { deployment, tenant, document } = context
  const { tables, clock } = deployment
  const slot = reservedSlotOf(context)
  const documentSlot = tables.documents.at([tenant.internal, document.internal])
  const row = await transaction.read(documentSlot)
  if (row?.state !== 'ready') throw notReadable(row)
  const nowMs = clock.now()
  const before = await transaction.read(slot)
  const isContinued = before !== undefined && isValid(before, row, nowMs)
  const { reserved, kept, nextObject } = chooseNumbers(row, isContinued ? before.ranges : [], count)
  if (nextObject !== row.nextObject) transaction.put(documentSlot, { ...row, nextObject })
  transaction.put(slot, {
    version: row.headVersion,
    ranges: [...kept, ...reserved],
    expiresAt: nowMs + limits.reservedNumbersMs,
  })
  return { objectNumbers: [...reserved], expiresIn: limits.reservedNumbersMs / 1000, isContinued }
}

/**
 * Chooses numbers. A caller with too many unused ones gets the oldest of them again, so that nobody uses up the numbers of
 * a document without writing to it.
 */
function chooseNumbers({ nextObject }: DocumentRow, held: readonly NumberRange[], count: number) {
  const { taken, left } = takeFirst(held, Math.max(0, sizeOf(held) + count - limits.reservedNumbersMax))
  const missing = count - sizeOf(taken)
  if (missing > 0 && nextObject + missing - 1 > limits.reservableNumberMax) {
    throw new Refusal('LayerFull', 'The document has no object numbers left that can be reserved', {
      details: { lastObjectNumber: limits.reservableNumberMax },
    })
  }
  const made = missing > 0 ? [{ first: nextObject, count: missing }] : []
  return { reserved: [...taken, ...made], kept: left, nextObject: nextObject + missing }
}
