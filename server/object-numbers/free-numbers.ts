// Numbers that were reserved and never used. They are kept for the next reservations of the document, so that sessions
// which come and go do not use up its numbers. Those of an earlier version are forgotten: later ones have other objects.
import { limits } from '../limits.js'
import type { DocumentRow } from '../rows/document.js'
import type { ReservedNumbersRow } from '../rows/reserved-numbers.js'
import type { Owner } from '../storage/large-values.js'
import type { Storage } from '../storage/open-storage.js'
import { documentLease } from '../storage/removals.js'
import { addHeld, isCount } from '../storage/share-count.js'
import type { Tables } from '../storage/tables.js'
import { type Transaction, transact } from '../storage/transaction.js'
import { joined, type NumberRange, sizeOf } from './ranges.js'
import { freeSlotOf } from './slot.js'

/** The row is removed with its document. */
const never = Number.MAX_SAFE_INTEGER

type Head = Pick<DocumentRow, 'headVersion'>

export async function readFree(
  transaction: Transaction,
  tables: Tables,
  { owner, head }: { readonly owner: Owner; readonly head: Head },
): Promise<readonly NumberRange[]> {
  const row = await transaction.read(freeSlotOf(tables, owner))
  return row?.version === head.headVersion ? row.ranges : []
}

/** Puts the row, which the transaction has read. */
export function putFree(
  transaction: Transaction,
  tables: Tables,
  { owner, head, ranges }: { readonly owner: Owner; readonly head: Head; readonly ranges: readonly NumberRange[] },
): void {
  const largest = joined(ranges)
    .toSorted((one, other) => other.count - one.count)
    .slice(0, limits.freeRangesMax)
  const row = { version: head.headVersion, ranges: [...joined(largest)], expiresAt: never }
  transaction.put(freeSlotOf(tables, owner), row)
}

/** Returns the numbers of a reservation that is over, as far as the version still has them. */
export const returnedBy = ({ version, ranges }: ReservedNumbersRow, head: Head): readonly NumberRange[] =>
  version === head.headVersion ? ranges : []

/** Ends a reservation whose time is over, and gives its numbers back. */
export async function endReservation(
  { store, tables, leases }: Pick<Storage, 'store' | 'tables' | 'leases'>,
  { id, nowMs, ...owner }: Owner & { readonly id: string; readonly nowMs: number },
): Promise<void> {
  const { tenant, document } = owner
  const slot = tables.reservedNumbers.at([tenant, document, id])
  await leases.hold(documentLease(document), () =>
    transact({ store }, async (transaction) => {
      const row = await transaction.read(slot)
      if (row === undefined || row.expiresAt > nowMs) return
      const head = await transaction.read(tables.documents.at([tenant, document]))
      transaction.remove(slot)
      if (isCount(id) || head?.state !== 'ready') return
      const returned = returnedBy(row, head)
      if (returned.length === 0) return
      const free = await readFree(transaction, tables, { owner, head })
      putFree(transaction, tables, { owner, head, ranges: [...free, ...returned] })
      await addHeld(transaction, tables, { owner, row, change: -sizeOf(returned) })
    }),
  )
}
