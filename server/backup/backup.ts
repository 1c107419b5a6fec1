// Writes a consistent backup of a running server. Rows come from one snapshot of the store; data of pending deletions
// is left out. While rows are read no blob is removed, and every named blob is hard-linked into the backup (or
// copied, on another disk).
import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '../../core/ports/clock.js'
import { blobPath } from '../storage/blob-paths.js'
import { BlobMissing } from '../storage/blobs.js'
import { nodeFiles } from '../storage/files.js'
import { isAlive } from '../storage/liveness.js'
import type { Storage } from '../storage/open-storage.js'
import { PendingDeletions } from '../storage/pending-deletions.js'
import { publicNames } from '../storage/public-names.js'
import { withoutRemovals } from '../storage/removals.js'
import { newestFormat } from '../storage/row-formats.js'
import { type BlobClaim, refersTo } from '../storage/row-kind.js'
import { rowKindOf } from '../storage/row-kinds.js'
import type { Entry, Store } from '../storage/store.js'
import { type BackupManifest, BackupUnfit, backupNames } from './manifest.js'
import { type WrittenRows, writeRows } from './rows-file.js'

export interface BackupOptions {
  readonly storage: Pick<Storage, 'store' | 'blobs' | 'leases'>
  /** Folder of the backup; must be empty or not exist. */
  readonly into: string
  /** SHA-256 of a file, in lower-case hex. */
  readonly digest: (path: string) => Promise<string>
  readonly clock: Clock
}

const everyKey = { from: Uint8Array.of(0), to: Uint8Array.of(0xff) }

/**
 * Writes a backup. Throws `BackupUnfit` if the folder is not empty, or if a blob that an existing document needs is
 * missing or damaged.
 */
export async function writeBackup({ storage, into, digest, clock }: BackupOptions): Promise<BackupManifest> {
  await prepare(into)
  const createdAt = clock.now()
  const claims: BlobClaim[] = []
  const rows = await withoutRemovals(storage.leases, () => copyAll(storage, into, claims))
  // Files are hashed after the lease is released: the copies belong to the backup, and hashing takes time.
  const blobs: BackupManifest['blobs'] = []
  const damaged: BlobClaim[] = []
  for (const claim of claims) {
    const facts = await verified(claim, { into, digest })
    if (facts) blobs.push(facts)
    else damaged.push(claim)
  }
  if (damaged.length > 0) throw await damagedError(storage.store, damaged)
  const manifest: BackupManifest = { backup: 1, format: newestFormat, createdAt, rows, blobs }
  await writeDurably(join(into, backupNames.manifest), `${JSON.stringify(manifest)}\n`)
  await nodeFiles.syncFolder(into)
  return manifest
}

async function prepare(into: string): Promise<void> {
  await mkdir(into, { recursive: true, mode: 0o700 })
  if ((await readdir(into)).length > 0)
    throw new BackupUnfit(`${into} is not empty; a backup needs a folder of its own.`)
}

async function copyAll(
  { store, blobs }: BackupOptions['storage'],
  into: string,
  copied: BlobClaim[],
): Promise<WrittenRows> {
  const seen = new Set<string>()
  // No sweep runs until the copy is complete, so documents deleted from now on are contained completely.
  const pending = await PendingDeletions.in(store)
  async function* entries(): AsyncIterable<Entry> {
    for await (const entry of store.range(everyKey)) {
      if (pending.has(entry)) continue
      for (const claim of rowKindOf(entry.key)?.open(entry)?.blobs ?? []) {
        const to = blobPath(join(into, backupNames.blobs), claim.blob)
        if (claim.isOptional || seen.has(to)) continue
        seen.add(to)
        if (await copyBlob({ store, blobs }, claim, to)) copied.push(claim)
      }
      yield entry
    }
  }
  return writeRows(join(into, backupNames.rows), entries())
}

/**
 * Copies a blob. Returns false if it is missing and the server can create it again, or if it belongs to a pending
 * deletion, which may have removed it.
 */
async function copyBlob(
  { store, blobs }: Pick<BackupOptions['storage'], 'store' | 'blobs'>,
  { blob, isRemade = false }: BlobClaim,
  to: string,
): Promise<boolean> {
  try {
    const local = await blobs.openLocal(blob)
    try {
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      await nodeFiles.linkOrCopy(local.path, to)
    } finally {
      local.release()
    }
    return true
  } catch (error) {
    const isExpected = error instanceof BlobMissing && (isRemade || !(await isOwnerAlive(store, blob)))
    if (isExpected) return false
    if (!(error instanceof BlobMissing)) throw error
    throw new BackupUnfit(
      `A file of the document ${await nameOf(store, blob)} is missing in the data folder. Stop the server and run "agents serve --check" to see all damage.`,
    )
  }
}

async function isOwnerAlive(store: Store, { tenant, document }: BlobClaim['blob']): Promise<boolean> {
  const owners = [refersTo('tenant', tenant), refersTo('document', tenant, document)]
  const values = await store.getMany(owners.map(({ key }) => key))
  return owners.every((owner, index) => isAlive(owner, values[index]))
}

async function verified(
  { blob, sizeBytes, sha256 }: BlobClaim,
  { into, digest }: Pick<BackupOptions, 'into' | 'digest'>,
): Promise<BackupManifest['blobs'][number] | undefined> {
  const path = blobPath(join(into, backupNames.blobs), blob)
  const facts = { sizeBytes: (await nodeFiles.size(path)) ?? 0, sha256: await digest(path) }
  const isRight = (sizeBytes ?? facts.sizeBytes) === facts.sizeBytes && (sha256 ?? facts.sha256) === facts.sha256
  return isRight ? { ...blob, ...facts } : undefined
}

/** Returns an error that names every affected document, so that the backup can be repeated without them. */
async function damagedError(store: Store, damaged: readonly BlobClaim[]): Promise<BackupUnfit> {
  const names = new Set<string>()
  for (const { blob } of damaged) names.add(await nameOf(store, blob))
  const listed = [...names].slice(0, namedMax).join(', ')
  const others = names.size > namedMax ? ` and ${names.size - namedMax} others` : ''
  return new BackupUnfit(
    `Files of these documents are damaged in the data folder: ${listed}${others}. Restore them from an earlier backup or delete them, then back up again; "agents serve --check" on the stopped server lists the damage.`,
  )
}

/** Maximum number of documents named in one message. */
const namedMax = 20

async function nameOf(store: Store, blob: BlobClaim['blob']): Promise<string> {
  const { documentId = blob.document } = await publicNames(store, blob)
  return `${documentId} (${blob.name})`
}

async function writeDurably(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
