// Files of a restore, in the data folder or in a storage elsewhere.
import { chmod, copyFile, mkdir, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { blobPath } from '../storage/blob-paths.js'
import type { BlobFacts, BlobName, Blobs, ListedBlob } from '../storage/blobs.js'
import type { DataFolder } from '../storage/data-folder.js'
import { nodeFiles } from '../storage/files.js'
import { freeSpaceOf } from '../storage/free-space.js'
import { openBlobs } from '../storage/open-blobs.js'
import { ownFolder } from '../storage/own-folder.js'
import { parseAddress } from '../storage/s3/address.js'
import { BackupUnfit } from './manifest.js'

export interface RestoredFiles {
  /** Place of the files, without credentials; the mark of the restore names it. */
  readonly place: string
  isEmpty(): Promise<boolean>
  put(blob: BlobName & BlobFacts, path: string): Promise<void>
  /** Throws `BackupUnfit` if the place has other files than these. */
  verify(blobs: readonly (BlobName & BlobFacts)[]): Promise<void>
  /** Records whose files they are, where the place has such records. Throws `BackupUnfit` if another deployment did. */
  claim(deployment: string): Promise<void>
  clear(): Promise<void>
  close(): Promise<void>
}

/** Place of files in the data folder, which has a mark of its own. */
export const folderPlace = 'the data folder'

export function filesInFolder({ blobs: root }: DataFolder): RestoredFiles {
  return {
    place: folderPlace,
    isEmpty: async () => true, // The folder is inspected as a whole.
    async put(blob, path) {
      const to = blobPath(root, blob)
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      await copyFile(path, to)
      // The copy has the mode of the backup.
      await chmod(to, 0o600)
      await nodeFiles.sync(to)
      await nodeFiles.syncFolder(dirname(to))
    },
    verify: async () => {}, // The check of the restored data reads every file.
    claim: async () => {},
    clear: () => nodeFiles.remove(root),
    close: async () => {},
  }
}

/** Throws `S3AddressUnfit`, and `BlobsUnavailable` if the storage cannot be used. */
export async function filesAt(address: string, data: DataFolder): Promise<RestoredFiles> {
  // A server may use the data folder, which has no data then: its staging and copies must stay.
  const staging = await ownFolder(data.staging)
  const blobs = await openBlobs({
    address,
    folder: data.blobs,
    staging,
    copies: join(staging, 'copies'),
    copiesBytesMax: 0,
    freeSpace: freeSpaceOf(data.root),
  })
  const { bucket, prefix, endpoint } = parseAddress(address)
  return {
    place: `s3://${bucket}/${prefix}${endpoint === undefined ? '' : ` at ${endpoint}`}`,
    isEmpty: () => isEmpty(blobs),
    async put(blob, path) {
      const { sizeBytes, sha256 } = blob
      const bytes = sizeBytes === 0 ? nothing() : nodeFiles.read(path, { first: 0, last: sizeBytes - 1 })
      await blobs.write(blob, bytes, { sizeBytesMax: sizeBytes, sizeBytes, sha256 })
    },
    verify: (wanted) => verify(blobs, wanted),
    claim: (deployment) => claim(blobs, deployment),
    clear: () => removeAll(blobs),
    async close() {
      await blobs.close?.()
      await nodeFiles.remove(staging)
      await rmdir(data.staging).catch(() => {}) // Another process uses it.
    },
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {}

/** A deployment without files yet would remove those of another one. */
async function isEmpty(blobs: Blobs): Promise<boolean> {
  for await (const _ of blobs.list()) return false
  return ((await blobs.deployments?.list()) ?? []).length === 0
}

const nameOf = ({ tenant, document, name }: BlobName): string => `${tenant}/${document}/${name}`

async function verify(blobs: Blobs, wanted: readonly (BlobName & BlobFacts)[]): Promise<void> {
  const sizes = new Map(wanted.map((blob) => [nameOf(blob), blob.sizeBytes]))
  for await (const blob of blobs.list()) {
    if (sizes.get(nameOf(blob)) !== blob.sizeBytes) throw changed(nameOf(blob))
    sizes.delete(nameOf(blob))
  }
  for (const name of sizes.keys()) throw changed(name)
}

const changed = (name: string) =>
  new BackupUnfit(`The storage of files was changed during the restore: ${name}. Stop every server on it.`)

async function claim({ deployments }: Blobs, deployment: string): Promise<void> {
  await deployments?.add(deployment)
  const others = ((await deployments?.list()) ?? []).filter(({ id }) => id !== deployment)
  if (others.length > 0) throw changed(`deployments/${others[0]?.id}`)
}

/** Number of files that are removed at once. */
const removedAtOnce = 16

async function removeAll(blobs: Blobs): Promise<void> {
  const some: ListedBlob[] = []
  const remove = () => Promise.all(some.splice(0).map((blob) => blob.remove()))
  for await (const blob of blobs.list()) {
    if (some.push(blob) >= removedAtOnce) await remove()
  }
  await remove()
}
