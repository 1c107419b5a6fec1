// Ends the time for which refused changes are remembered.
import type { Storage } from '../storage/open-storage.js'
import { rowKinds } from '../storage/row-kinds.js'
import { countStored } from '../storage/stored-bytes.js'
import { transact } from '../storage/transaction.js'

interface Expiring {
  readonly tenant: string
  readonly document: string
  readonly id: string
  readonly nowMs: number
}

export async function forgetRefusals(
  storage: Pick<Storage, 'store' | 'tables'>,
  { tenant, document, id, nowMs }: Expiring,
): Promise<void> {
  const slot = storage.tables.refusals.at([tenant, document, id])
  await transact(storage, async (transaction) => {
    const row = await transaction.read(slot)
    if (row === undefined || row.expiresAt > nowMs) return
    transaction.remove(slot)
    const bytes = rowKinds.refusals.storedBytes(row)
    await countStored(storage.tables, transaction, { tenant, document }, -bytes)
  })
}
