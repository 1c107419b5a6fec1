// Writes and removes the row of a share, which counts as stored for its tenant and document.
import type { TenantContext } from '../operation/operation.js'
import { refuseTenantFull } from '../operation/storage-bounds.js'
import type { ShareRow } from '../rows/share.js'
import { countStored } from '../storage/stored-bytes.js'
import type { Transaction } from '../storage/transaction.js'
import { storageLimits } from '../storage-limits.js'

export type ShareKey = readonly [tenant: string, document: string, share: string]

interface ShareWrite {
  readonly key: ShareKey
  readonly before?: ShareRow
  readonly row: ShareRow
}

/** Throws `StorageFull` for a new share that the tenant has no room for. Returns the row as it is stored. */
export async function putShare(
  transaction: Transaction,
  context: TenantContext,
  { key, before, row }: ShareWrite,
): Promise<ShareRow> {
  const { tables } = context.deployment
  const { rowBytes: counted = 0 } = before ?? {}
  const rowBytes = Buffer.byteLength(JSON.stringify({ ...row, rowBytes: 0 })) + storageLimits.shareRowsBytes
  // A full tenant can still disable its shares.
  if (before === undefined) await refuseTenantFull(context, rowBytes)
  const stored = { ...row, rowBytes }
  transaction.put(tables.shares.at(key), stored)
  await count(transaction, tables, { key, bytes: rowBytes - counted })
  return stored
}

export async function removeShare(
  transaction: Transaction,
  { deployment: { tables } }: TenantContext,
  { key, row }: Omit<ShareWrite, 'before'>,
): Promise<void> {
  transaction.remove(tables.shares.at(key))
  await count(transaction, tables, { key, bytes: -(row.rowBytes ?? 0) })
}

/** A document that is being deleted has been subtracted already, with all that it had. */
async function count(
  transaction: Transaction,
  tables: TenantContext['deployment']['tables'],
  { key: [tenant, document], bytes }: { readonly key: ShareKey; readonly bytes: number },
): Promise<void> {
  const row = await transaction.read(tables.documents.at([tenant, document]))
  if (row !== undefined && row.state !== 'deleting') await countStored(tables, transaction, { tenant, document }, bytes)
}
