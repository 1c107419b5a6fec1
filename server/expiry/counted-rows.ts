// Removes rows of a document that are counted for it, once their time is over: refused changes that are remembered, and
// sessions with a password.
import type { Storage } from '../storage/open-storage.js'
import { rowKinds } from '../storage/row-kinds.js'
import { countStored } from '../storage/stored-bytes.js'
import type { Slot } from '../storage/table.js'
import { type Transaction, transact } from '../storage/transaction.js'

type CountedStorage = Pick<Storage, 'store' | 'tables'>

interface Expiring {
  readonly tenant: string
  readonly document: string
  readonly id: string
  readonly nowMs: number
}

export const forgetRefusals = (storage: CountedStorage, expiring: Expiring): Promise<void> =>
  transact(storage, (transaction) => {
    const slot = storage.tables.refusals.at([expiring.tenant, expiring.document, expiring.id])
    return removeExpired(transaction, { tables: storage.tables, expiring, slot, kind: rowKinds.refusals })
  })

export const endPasswordSession = (storage: CountedStorage, expiring: Expiring): Promise<void> =>
  transact(storage, (transaction) => {
    const slot = storage.tables.passwordSessions.at([expiring.tenant, expiring.document, expiring.id])
    return removeExpired(transaction, { tables: storage.tables, expiring, slot, kind: rowKinds.passwordSessions })
  })

interface Removal<Row> {
  readonly tables: Storage['tables']
  readonly expiring: Expiring
  readonly slot: Slot<Row>
  readonly kind: { storedBytes(row: Row | undefined): number }
}

async function removeExpired<Row extends { readonly expiresAt: number }>(
  transaction: Transaction,
  { tables, expiring: { tenant, document, nowMs }, slot, kind }: Removal<Row>,
): Promise<void> {
  const row = await transaction.read(slot)
  if (row === undefined || row.expiresAt > nowMs) return
  transaction.remove(slot)
  await countStored(tables, transaction, { tenant, document }, -kind.storedBytes(row))
}
