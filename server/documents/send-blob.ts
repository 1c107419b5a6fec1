// Sends a stored file with the hash of its bytes as entity tag.
import { Readable } from 'node:stream'
import type { BytesAnswer, Context } from '../operation/operation.js'
import type { BlobName } from '../storage/blobs.js'
import { refuseDamaged } from './damaged-file.js'
import { sendFile } from './send-file.js'

export interface SentBlob {
  readonly blob: BlobName
  readonly sizeBytes: number
  /** Hash of the bytes, used as entity tag. */
  readonly sha256: string
  readonly fileName: string
  /** Last byte of the file, if the file is a prefix of the blob. */
  readonly endByte?: number
}

/** Sends the blob. Throws `Unknown` if its length differs from the recorded one. */
export async function sendBlob(
  { blob, sizeBytes, sha256, fileName, endByte }: SentBlob,
  context: Context,
): Promise<BytesAnswer> {
  refuseDamaged(blob, await context.deployment.blobs.size(blob), sizeBytes)
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
