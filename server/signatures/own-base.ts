// The base of a signing of its own: a redacted layer with its later edits, written anew. Laid behind the private base, the
// edits would leave in the signed file what they replaced. The layer itself stays as it is, so that after a cancelled
// signing its edits can still be undone.
import type { FileDigest } from '../../workers/file/digest.js'
import type { PdfSource } from '../../workers/messages/task.js'
import { refuseDamaged } from '../documents/damaged-file.js'
import type { Deployment } from '../operation/deployment.js'
import type { StoredBlob } from '../rows/version.js'
import type { BlobName } from '../storage/blobs.js'

export interface OwnBase {
  /** File in the staging folder, opened without edits. */
  readonly source: PdfSource
  readonly digest: FileDigest
}

/** Writes the base. `source`: the layer, with the images of its overlay. */
export async function writeOwnBase({ workers }: Deployment, source: PdfSource, path: string): Promise<OwnBase> {
  const digest = await workers.run('rewrite', { source, path })
  const { overlay, key } = source
  const opened = { ...source, path, sizeBytes: digest.sizeBytes, key: `${key}/rewritten` }
  return { source: { ...opened, ...(overlay && { overlay: { ...overlay, images: [] } }) }, digest }
}

/** Stores the base, which the row of the signing must name. */
export async function adoptOwnBase({ blobs }: Deployment, blob: BlobName, { source, digest }: OwnBase) {
  await blobs.adopt(blob, source.path)
  refuseDamaged(blob, await blobs.size(blob), digest.sizeBytes)
  const { sizeBytes, sha256 } = digest
  return { name: blob.name, sizeBytes, sha256 } satisfies StoredBlob
}
