// Ends a signing whose time is over: its blobs are removed at once, its row a day later, so that a late completion is
// told that it expired.
import { limits } from '../limits.js'
import { ownBlobsOf, type SigningRow } from '../rows/signing.js'
import type { Storage } from '../storage/open-storage.js'
import { documentLease, removeOrLeave } from '../storage/removals.js'
import { signings } from '../storage/signing-row-kinds.js'
import { countStored } from '../storage/stored-bytes.js'
import { transact } from '../storage/transaction.js'

export interface NamedSigning {
  readonly tenant: string
  readonly document: string
  readonly id: string
}

type SigningStorage = Pick<Storage, 'store' | 'tables' | 'leases' | 'blobs'>

export async function endSigning(storage: SigningStorage, signing: NamedSigning, nowMs: number): Promise<void> {
  const { store, tables, leases, blobs } = storage
  const { tenant, document, id } = signing
  const slot = tables.signings.at([tenant, document, id])
  const left = await leases.hold(documentLease(document), () =>
    transact({ store }, async (transaction) => {
      const row = await transaction.read(slot)
      if (row === undefined || row.state === 'completed' || row.expiresAt > nowMs) return []
      const next = row.state === 'open' ? closedSigning(row, 'expired', nowMs) : undefined
      if (next === undefined) transaction.remove(slot)
      else transaction.put(slot, next)
      const bytes = signings.storedBytes(next) - signings.storedBytes(row)
      await countStored(tables, transaction, { tenant, document }, bytes)
      return ownBlobsOf(row)
    }),
  )
  if (left.length === 0) return
  await removeOrLeave(leases, async () => {
    for (const { name } of left) await blobs.remove({ tenant, document, name })
  })
}

/** Returns the row of a signing that will not be completed, until its removal. */
export const closedSigning = (row: SigningRow, state: 'cancelled' | 'expired', nowMs: number): SigningRow => ({
  ...row,
  state,
  section: null,
  expiresAt: nowMs + limits.endedSigningRetentionMs,
})
