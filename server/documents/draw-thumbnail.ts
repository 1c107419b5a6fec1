// Draws the thumbnail of a document and stores it as a blob.
import type { PdfSource } from '../../workers/messages/task.js'
import { uploadsAccountOf } from '../operation/account.js'
import type { Deployment } from '../operation/deployment.js'
import { thumbnailNameOf } from '../storage/row-kinds.js'

export interface ThumbnailSource {
  /** Internal id. */
  readonly tenant: string
  readonly document: string
  /** Blob to read, and its length. */
  readonly name: string
  readonly sizeBytes: number
  /** Number of the version that it shows. */
  readonly version: number
}

/** Throws if the thumbnail cannot be drawn. */
export async function drawThumbnail(
  { blobs, workers }: Deployment,
  { tenant, document, name, sizeBytes, version }: ThumbnailSource,
): Promise<void> {
  const local = await blobs.openLocal({ tenant, document, name })
  try {
    const account = uploadsAccountOf(tenant)
    const source: PdfSource = { document, account, key: `${document}/${name}`, path: local.path, sizeBytes }
    const { bytes } = await workers.run('thumbnail', { source })
    const thumbnail = { tenant, document, name: thumbnailNameOf(version) }
    await blobs.write(thumbnail, oneChunk(bytes), { sizeBytesMax: bytes.length })
  } finally {
    local.release()
  }
}

async function* oneChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
