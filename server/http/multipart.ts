// Writes a multipart answer: the part `body` with JSON, and each file as a part `resource:<key>`, as requests with files have
// it. Equal content gives equal bytes, because the boundary is a hash of the content.
import { createHash } from 'node:crypto'

export interface SentPart {
  readonly key: string
  readonly contentType: string
  readonly fileName: string
  readonly bytes: Uint8Array
}

export interface Multipart {
  /** Media type with the boundary. */
  readonly contentType: string
  readonly bytes: Uint8Array
}

export function multipartOf(body: unknown, files: readonly SentPart[]): Multipart {
  const text = JSON.stringify(body)
  const hash = createHash('sha256').update(text)
  for (const { bytes } of files) hash.update(bytes)
  const boundary = `part-${hash.digest('hex')}`
  const head = (disposition: string, contentType: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${contentType}\r\n\r\n`
  const pieces = [
    head('name="body"', 'application/json'),
    text,
    ...files.flatMap(({ key, fileName, contentType, bytes }) => [
      `\r\n${head(`name="resource:${key}"; filename="${fileName}"`, contentType)}`,
      bytes,
    ]),
    `\r\n--${boundary}--\r\n`,
  ]
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece))),
  }
}
