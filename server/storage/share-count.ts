// Counts the unused numbers that all sessions of one share hold in a document: each session is another caller, and their
// number is not limited. The row has the shape of a reservation, with one range of that size.
import { limits } from '../limits.js'
import type { ReservedNumbersRow } from '../rows/reserved-numbers.js'
import type { Owner } from './large-values.js'
import type { Tables } from './tables.js'
import type { Transaction } from './transaction.js'

const prefix = 'share '

/** Returns the id of the row. `share`: fingerprint of the share. */
export const countIdOf = (share: string): string => prefix + share

/** Returns the id of the row that counts the numbers which changes of a caller have taken. `caller`: its fingerprint. */
export const takenIdOf = (caller: string): string => `${prefix}taken ${caller}`

/** True if the row counts numbers instead of naming them. */
export const isCount = (id: string): boolean => id.startsWith(prefix)

/** Part of a reservation that says where it is counted. */
export type Counted = Pick<ReservedNumbersRow, 'version' | 'countedIn'>

interface Held {
  readonly owner: Owner
  readonly row: Counted
  readonly change: number
}

/** True if the sessions of the share may hold so many more; always for callers that are not counted. */
export async function mayHold(
  transaction: Transaction,
  tables: Tables,
  { owner: { tenant, document }, row, change }: Held,
): Promise<boolean> {
  if (row.countedIn === undefined) return true
  const count = await transaction.read(tables.reservedNumbers.at([tenant, document, row.countedIn]))
  return heldIn(count, row) + change <= limits.reservedNumbersOfShareMax
}

const heldIn = (count: ReservedNumbersRow | undefined, { version }: Counted): number =>
  count?.version === version ? (count.ranges[0]?.count ?? 0) : 0

interface ChangedHeld extends Held {
  /** Time until which the reservation was extended; undefined = it was not. */
  readonly until?: number
}

/** Adds to the count, which outlives every reservation that it counts. */
export async function addHeld(
  transaction: Transaction,
  tables: Tables,
  { owner, row, change, until }: ChangedHeld,
): Promise<void> {
  if (row.countedIn === undefined) return
  const slot = tables.reservedNumbers.at([owner.tenant, owner.document, row.countedIn])
  const before = await transaction.read(slot)
  if (before?.version !== row.version && until === undefined) return
  const held = Math.max(0, heldIn(before, row) + change)
  transaction.put(slot, {
    version: row.version,
    ranges: held === 0 ? [] : [{ first: 1, count: held }],
    expiresAt: Math.max(before?.expiresAt ?? 0, until === undefined ? 0 : until + 1),
  })
}
