// Data folder with tenants and documents created directly in the storage, like the operations of the server do.
import { createHash } from 'node:crypto'
import { systemRandom } from '../../../core/ports/random.js'
import { digestHere } from '../../../server/backup/verify.js'
import type { DocumentRow } from '../../../server/rows/document.js'
import type { ShareRow } from '../../../server/rows/share.js'
import { newInternalId } from '../../../server/storage/internal-ids.js'
import type { Storage } from '../../../server/storage/open-storage.js'
import { openStorage } from '../../../server/storage/open-storage.js'
import { transact } from '../../../server/storage/transaction.js'

export const clock = { now: () => Date.UTC(2026, 10, 21), sleep: async () => {} }

export const openScene = (folder: string): Promise<Storage> => openStorage({ folder, digest: digestHere })

export async function makeTenant(storage: Storage, id: string): Promise<string> {
  const tenant = newInternalId(clock.now())
  await transact(storage, async (transaction) => {
    const row = { id, name: id, autoProvisioned: false, status: 'active', suspendedReason: null, createdAt: 1 } as const
    transaction.put(storage.tables.tenants.at([tenant]), row)
  })
  return tenant
}

export interface Made {
  readonly tenant: string
  readonly document: string
}

const pendingRow = (id: string): DocumentRow => ({
  id,
  state: 'pending',
  failureReason: null,
  headVersion: 0,
  headSha256: null,
  sizeBytes: null,
  readBlob: null,
  readBytes: null,
  encryption: null,
  nextObject: 1,
  auditId: 0,
  thumbnail: 'pending',
  metadata: null,
  idempotencyKey: `key-${id}`,
  expected: { sizeBytes: null, sha256: null },
  origin: 'upload',
  uploadExpiresAt: clock.now() + 1000,
  createdAt: clock.now(),
  updatedAt: clock.now(),
  createdBy: 'test',
})

/** Creates a pending document without bytes. */
export async function announce(storage: Storage, tenant: string, id: string): Promise<Made> {
  const document = newInternalId(clock.now(), systemRandom)
  await transact(storage, async (transaction) => {
    transaction.put(storage.tables.documents.at([tenant, document]), pendingRow(id))
  })
  return { tenant, document }
}

export const uploadName = 'upload.pdf'

export async function upload(storage: Storage, { tenant, document }: Made, content: string): Promise<void> {
  async function* bytes() {
    yield Buffer.from(content)
  }
  await storage.blobs.write({ tenant, document, name: uploadName }, bytes(), { sizeBytesMax: 1e6 })
}

/** Makes a document ready, in one commit. */
export async function publish(storage: Storage, { tenant, document }: Made, content: string): Promise<void> {
  const { tables } = storage
  const sha256 = createHash('sha256').update(content).digest('hex')
  const sizeBytes = Buffer.byteLength(content)
  await transact(storage, async (transaction) => {
    const slot = tables.documents.at([tenant, document])
    const row = await transaction.read(slot)
    if (!row) throw new Error('The document does not exist')
    const ready = { state: 'ready', headVersion: 1, headSha256: sha256, sizeBytes, readBlob: uploadName } as const
    transaction.put(slot, { ...row, ...ready, readBytes: sizeBytes })
    transaction.put(tables.versions.at([tenant, document, 1]), {
      blob: { name: uploadName, sizeBytes, sha256 },
      working: null,
      parentSha256: null,
      producer: 'upload',
      signingId: null,
      createdAt: clock.now(),
    })
    transaction.put(tables.pageFacts.at([tenant, document, 1]), { inline: { pages: [] } })
    const counter = tables.storage.at([tenant, 3])
    const counted = await transaction.read(counter)
    transaction.put(counter, { bytes: (counted?.bytes ?? 0) + sizeBytes })
  })
}

export async function makeDocument(
  storage: Storage,
  tenant: string,
  id: string,
  content = `%PDF ${id}`,
): Promise<Made> {
  const made = await announce(storage, tenant, id)
  await upload(storage, made, content)
  await publish(storage, made, content)
  return made
}

export async function makeShare(storage: Storage, { tenant, document }: Made, id: string): Promise<void> {
  const row: ShareRow = {
    id,
    docId: 'd',
    layerName: 'default',
    scope: ['doc.open'],
    origins: null,
    passwordHash: null,
    sessionTtlSeconds: 600,
    disabled: false,
    expiresAt: null,
    exchangeCount: 0,
    lastExchangedAt: null,
    createdBy: 'test',
    createdAt: 1,
    updatedAt: 1,
  }
  await transact(storage, async (transaction) => {
    transaction.put(storage.tables.shares.at([tenant, document, newInternalId(clock.now())]), row)
  })
}

/** Returns the kinds of all rows, sorted: `tenant-id`, `document`, … */
export async function kindsOf(storage: Storage): Promise<readonly string[]> {
  const kinds: string[] = []
  for await (const { key } of storage.store.range({ from: Uint8Array.of(0), to: Uint8Array.of(0xff) })) {
    kinds.push(Buffer.from(key).toString('latin1').slice(1).split('\u0000')[0] ?? '')
  }
  return kinds.sort()
}

export async function blobsOf(storage: Storage): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { document, name } of storage.blobs.list()) found.push(`${document}/${name}`)
  return found.sort()
}
