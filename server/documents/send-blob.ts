// A stored file as an answer, under the hash of its bytes.
import { Readable } from 'node:stream'
import type { BytesAnswer, Context } from '../operation/operation.js'
import type { BlobName } from '../storage/blobs.js'
import { refuseDamaged } from './damaged-file.js'
import { sendFile } from './send-file.js'

export interface SentBlob {
  readonly blob: BlobName
  readonly sizeBytes: number
  /** Names the bytes for ever. */
  readonly sha256: string
  readonly fileName: string
  /** The bytes from 0 to here are the file, where it is only the beginning of the blob. */
  readonly endByte?: number
}

/** Throws `Unknown` if the length of the blob differs from the recorded one. */
export async function sendBlob(
  { blob, sizeBytes, sha256, fileName, endByte }: SentBlob,
  context: Context,
): Promise<BytesAnswer> {
  refuseDamaged(await context.deployment.blobs.size(blob), sizeBytes)
  return sendFile(
    {
      sizeBytes: endByte ?? sizeBytes,
      etag: endByte === undefined ? `"${sha256}"` : `"${sha256}-${endByte}"`,
      fileName,
      read: (range) => Readable.from(context.deployment.blobs.read(blob, range), { objectMode: false }),
    },
    context,
  )
}
