// A stored file as an answer: ranges, a strong ETag made of its hash, and a name to save it under.
import { Readable } from 'node:stream'
import { byteRangeOf } from '../http/byte-range.js'
import type { BytesAnswer, Context } from '../operation.js'
import type { BlobName } from '../storage/blobs.js'

export interface SentBlob {
  readonly blob: BlobName
  readonly sizeBytes: number
  /** Names the bytes for ever. */
  readonly sha256: string
  readonly fileName: string
  /** The bytes from 0 to here are the file, where it is only the beginning of the blob. */
  readonly endByte?: number
}

export function sendBlob(sent: SentBlob, { deployment, headers }: Context): BytesAnswer {
  const sizeBytes = sent.endByte ?? sent.sizeBytes
  const etag = sent.endByte === undefined ? `"${sent.sha256}"` : `"${sent.sha256}-${sent.endByte}"`
  const common = {
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Content-Disposition': `attachment; filename="${sent.fileName}"`,
  }
  const ifRange = headers['if-range']
  // A client that has part of other bytes must get all of these.
  const range = ifRange === undefined || ifRange === etag ? byteRangeOf(textOf(headers.range), sizeBytes) : undefined
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 }
  const partial = range ? { 'Content-Range': `bytes ${first}-${last}/${sizeBytes}` } : {}
  return {
    contentType: 'application/pdf',
    status: range ? 206 : 200,
    headers: { ...common, ...partial, 'Content-Length': String(last - first + 1) },
    body: Readable.from(deployment.blobs.read(sent.blob, { first, last }), { objectMode: false }),
  }
}

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined
