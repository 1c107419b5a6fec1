// Totals of stored bytes, per document in its row and per tenant in counters, updated in the transaction that writes or
// removes content.
import { notFound } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import type { BlobOwner } from './blob-paths.js'
import type { Measurement } from './measurement.js'
import { allRowKinds } from './row-kinds.js'
import { shardOf } from './shards.js'
import type { Store } from './store.js'
import type { Tables } from './tables.js'
import type { Transaction } from './transaction.js'

type DocumentKey = Required<BlobOwner>

/** Adds the bytes, which may be negative, to the totals, and writes the document's row. */
export async function countStored(
  tables: Tables,
  transaction: Transaction,
  { tenant, document }: DocumentKey,
  bytes: number,
): Promise<void> {
  if (bytes === 0) return
  const slot = tables.documents.at([tenant, document])
  const row = await transaction.read(slot)
  if (row === undefined) throw notFound('document')
  const storedBytes = (row.storedBytes ?? (await storedBytesOf(tables.store, { tenant, document }))) + bytes
  transaction.put(slot, { ...row, storedBytes })
  const counted = await countedBytesOf(tables, row, { tenant, document })
  await addToTenant(tables, transaction, { tenant, document }, storedBytes - counted)
}

/** Writes the row of a document, with its metadata counted, and these bytes reserved in place of those before. */
export async function putReserved(
  tables: Tables,
  transaction: Transaction,
  { tenant, document, row }: DocumentKey & { readonly row: DocumentRow },
  bytes: number,
): Promise<void> {
  const { reserved = 0, metadataBytes: counted = 0, ...others } = row
  const metadataBytes = bytesOfMetadata(row.metadata)
  transaction.put(tables.documents.at([tenant, document]), {
    ...others,
    ...(bytes > 0 && { reserved: bytes }),
    ...(metadataBytes > 0 && { metadataBytes }),
  })
  await countStored(tables, transaction, { tenant, document }, bytes - reserved + metadataBytes - counted)
}

export const bytesOfMetadata = (metadata: DocumentRow['metadata'] | undefined): number =>
  metadata ? Buffer.byteLength(JSON.stringify(metadata)) : 0

/** Subtracts a document that is being deleted from the totals of its tenant. */
export async function discountStored(
  tables: Tables,
  transaction: Transaction,
  row: DocumentRow,
  owner: DocumentKey,
): Promise<void> {
  await addToTenant(tables, transaction, owner, -(await countedBytesOf(tables, row, owner)))
}

/** Returns the sum over the rows of the document, as stored before the current transaction. */
export async function storedBytesOf(store: Store, { tenant, document }: DocumentKey): Promise<number> {
  let sum = 0
  for (const kind of allRowKinds) {
    const range = kind.countsBytes ? kind.ownedBy(tenant, document) : undefined
    if (!range) continue
    for await (const entry of store.range(range)) sum += kind.open(entry)?.storedBytes ?? 0
  }
  return sum
}

/** Returns the bytes with which the document is included in the counters of its tenant. */
export async function countedBytesOf(
  tables: Tables,
  { storedBytes }: DocumentRow,
  { tenant, document }: DocumentKey,
): Promise<number> {
  if (storedBytes !== undefined) return storedBytes
  // The document was last written before layers were counted.
  let bytes = 0
  for await (const { row } of tables.versions.range([tenant, document])) bytes += row.blob.sizeBytes
  return bytes
}

/** Bytes that all tenants store, as each process reads them. */
export const storedBytesOfAll = (tables: Tables): Measurement => ({
  name: 'stored_bytes',
  help: 'Bytes of content that tenants store, with announced uploads',
  async read() {
    let bytes = 0
    for await (const { row } of tables.storage.range([])) bytes += row.bytes
    return bytes
  },
  aggregator: 'max',
})

async function addToTenant(
  tables: Tables,
  transaction: Transaction,
  { tenant, document }: DocumentKey,
  bytes: number,
): Promise<void> {
  if (bytes === 0) return
  const slot = tables.storage.at([tenant, shardOf(document)])
  transaction.amend(slot, (row) => ({ bytes: (row?.bytes ?? 0) + bytes }))
}
