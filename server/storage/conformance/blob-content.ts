// Names and content of blobs in their conformance suites.
import type { BlobName, Blobs } from '../blobs.js'

export const named = (name: string, document = 'd1', tenant = 't1'): BlobName => ({ tenant, document, name })

export async function* chunks(...parts: readonly (string | Uint8Array)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

export async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts)
}

export async function listNames(blobs: Blobs): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { tenant, document, name } of blobs.list()) found.push(`${tenant}/${document}/${name}`)
  return found.sort()
}
