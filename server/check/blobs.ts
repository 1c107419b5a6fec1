// Checks files against the records that name them: existence, size, content hash, and files without a record.

import { isWholePicture } from '../documents/whole-picture.js'
import { blobPath } from '../storage/blob-paths.js'
import type { BlobName } from '../storage/blobs.js'
import { NamedBlobs } from '../storage/claims.js'
import { nodeFiles } from '../storage/files.js'
import { listBlobs } from '../storage/folder-blobs.js'
import type { PendingDeletions } from '../storage/pending-deletions.js'
import { publicNames } from '../storage/public-names.js'
import { RowCorrupt } from '../storage/row-codec.js'
import type { BlobClaim } from '../storage/row-kind.js'
import { allRowKinds, rowKinds } from '../storage/row-kinds.js'
import type { Entry, Store } from '../storage/store.js'
import type { Finding } from './findings.js'

interface BlobsChecked {
  readonly store: Store
  readonly pending: PendingDeletions
  readonly blobFolder: string
  readonly digest: (path: string) => Promise<string>
  readonly report: (finding: Finding) => void
}

export interface BlobTotals {
  readonly blobs: number
  readonly blobBytes: number
}

export async function checkBlobs({ store, pending, blobFolder, digest, report }: BlobsChecked): Promise<BlobTotals> {
  for await (const claim of requiredBlobs(store)) {
    const finding = await findingOf(claim, { blobFolder, digest })
    if (finding) report({ ...finding, ...(await publicNames(store, claim.blob)) })
  }
  let [blobs, blobBytes] = [0, 0]
  const named = new NamedBlobs(store)
  for await (const blob of listBlobs(nodeFiles, blobFolder)) {
    blobs += 1
    blobBytes += blob.sizeBytes
    if (pending.owns(blob) || (await readably(() => isNamed({ store, named }, blob)))) continue
    const names = await publicNames(store, blob)
    const detail = `It has ${blob.sizeBytes} bytes.`
    report({ code: 'data.unnamed-blob', where: `blob ${nameOf(blob)}`, detail, ...names })
  }
  return { blobs, blobBytes }
}

/**
 * Yields blobs that rows name and readers may request, each once. Blobs of pending deletions are left out, because
 * they are removed before their rows.
 */
export async function* requiredBlobs(store: Store): AsyncIterable<BlobClaim> {
  const seen = new Set<string>()
  for (const kind of allRowKinds.filter(({ namesBlobs }) => namesBlobs)) {
    for await (const entry of store.range(kind.all)) {
      for (const claim of blobsOf(entry, (row) => kind.open(row)?.blobs)) {
        const id = JSON.stringify([nameOf(claim.blob), claim.sizeBytes, claim.sha256])
        if (seen.has(id)) continue
        seen.add(id)
        if (await readably(() => isRead(store, claim.blob))) yield claim
      }
    }
  }
}

function blobsOf(entry: Entry, open: (entry: Entry) => readonly BlobClaim[] | undefined): readonly BlobClaim[] {
  try {
    return open(entry) ?? []
  } catch (error) {
    if (error instanceof RowCorrupt) return [] // Reported with the records.
    throw error
  }
}

/** Returns false for damaged records, which are reported separately. */
async function readably(question: () => Promise<boolean>): Promise<boolean> {
  try {
    return await question()
  } catch (error) {
    if (error instanceof RowCorrupt) return true
    throw error
  }
}

async function isRead(store: Store, { tenant, document }: BlobName): Promise<boolean> {
  const [ofTenant, ofDocument] = await store.getMany([
    rowKinds.tenants.key([tenant]),
    rowKinds.documents.key([tenant, document]),
  ])
  if (ofTenant === undefined || ofDocument === undefined) return false
  const { status } = rowKinds.tenants.decode({ key: rowKinds.tenants.key([tenant]), value: ofTenant })
  const { state } = rowKinds.documents.decode({ key: rowKinds.documents.key([tenant, document]), value: ofDocument })
  return status !== 'deleting' && state !== 'deleting'
}

async function findingOf(
  { blob, sizeBytes, sha256, isRemade = false, isOptional = false }: BlobClaim,
  { blobFolder, digest }: Pick<BlobsChecked, 'blobFolder' | 'digest'>,
): Promise<Finding | undefined> {
  if (isOptional) return undefined
  const where = `blob ${nameOf(blob)}`
  const path = blobPath(blobFolder, blob)
  const size = await nodeFiles.size(path)
  if (isRemade) {
    if (size !== undefined && (await isWholePictureAt(path, size))) return undefined
    return { code: 'data.missing-thumbnail', where, detail: `${path} is not there, or not a whole picture.` }
  }
  if (size === undefined) return { code: 'data.missing-blob', where, detail: `${path} is not there.` }
  if (sizeBytes !== undefined && size !== sizeBytes) {
    return { code: 'data.wrong-size', where, detail: `It has ${size} bytes, not ${sizeBytes}.` }
  }
  const actual = sha256 === undefined ? undefined : await digest(path)
  if (actual === sha256) return undefined
  return { code: 'data.wrong-content', where, detail: `Its SHA-256 is ${actual}, not ${sha256}.` }
}

async function isWholePictureAt(path: string, sizeBytes: number): Promise<boolean> {
  return sizeBytes > 0 && isWholePicture(nodeFiles.read(path, { first: 0, last: sizeBytes - 1 }), sizeBytes)
}

/** True if a row names the blob. A pending document may have any blob. */
async function isNamed(
  { store, named }: { readonly store: Store; readonly named: NamedBlobs },
  blob: BlobName,
): Promise<boolean> {
  const key = rowKinds.documents.key([blob.tenant, blob.document])
  const value = await store.get(key)
  if (value === undefined) return false
  const { state } = rowKinds.documents.decode({ key, value })
  if (state === 'pending') return true
  return named.has(blob)
}

const nameOf = ({ tenant, document, name }: BlobName): string => `${tenant}/${document}/${name}`
