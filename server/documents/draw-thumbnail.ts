// Draws the thumbnail of a document and stores it as a blob.
import type { PdfSource } from '../../workers/messages/task.js'
import { uploadsAccountOf } from '../operation/account.js'
import type { Deployment } from '../operation/deployment.js'
import { thumbnailNameOf } from '../storage/row-kinds.js'

export interface ThumbnailSource {
  /** Internal id. */
  readonly tenant: string
  readonly document: string
  /** Number of the version that is shown. */
  readonly headVersion: number
  /** Blob to read, and its length. */
  readonly name: string
  readonly sizeBytes: number
}

/** Throws if the thumbnail cannot be drawn. */
export async function drawThumbnail(
  { blobs, workers }: Deployment,
  { tenant, document, headVersion, name, sizeBytes }: ThumbnailSource,
): Promise<void> {
  const local = await blobs.openLocal({ tenant, document, name })
  try {
    const account = uploadsAccountOf(tenant)
    const source: PdfSource = { document, account, key: `${document}/${name}`, path: local.path, sizeBytes }
    const { bytes } = await workers.run('thumbnail', { source })
    await blobs.write({ tenant, document, name: thumbnailNameOf({ headVersion }) }, oneChunk(bytes), {
      sizeBytesMax: bytes.length,
    })
  } finally {
    local.release()
  }
}

async function* oneChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
