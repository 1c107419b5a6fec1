// Sends a PDF with support for ranges, a strong ETag, and a file name.
import type { Readable } from 'node:stream'
import { byteRangeOf } from '../http/byte-range.js'
import type { BytesAnswer, Context } from '../operation/operation.js'
import type { ByteRange } from '../storage/blobs.js'

export interface SentFile {
  readonly sizeBytes: number
  /** Strong entity tag, with quotes. */
  readonly etag: string
  readonly fileName: string
  readonly read: (range: ByteRange) => Readable
}

/** Throws `RangeNotSatisfiable` before reading anything. */
export function sendFile(
  { sizeBytes, etag, fileName, read }: SentFile,
  { headers }: Pick<Context, 'headers'>,
): BytesAnswer {
  const ifRange = headers['if-range']
  // If the `If-Range` of the request is stale, the whole file is sent.
  const range = ifRange === undefined || ifRange === etag ? byteRangeOf(textOf(headers.range), sizeBytes) : undefined
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 }
  return {
    contentType: 'application/pdf',
    status: range ? 206 : 200,
    headers: {
      ETag: etag,
      'Accept-Ranges': 'bytes',
      'Content-Disposition': `attachment; filename="${fileName}"`,
      ...(range ? { 'Content-Range': `bytes ${first}-${last}/${sizeBytes}` } : {}),
      'Content-Length': String(last - first + 1),
    },
    body: read({ first, last }),
  }
}

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined
