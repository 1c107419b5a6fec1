// A cached JSON read as an answer: the very bytes that were kept, with their name.
import type { PdfSource } from '../../workers/task.js'
import { type DocumentContext, ReadyJson } from '../operation.js'
import { readCachedJson } from './read.js'

export async function sendJson(
  context: DocumentContext,
  parts: readonly (string | number)[],
  make: (source: PdfSource) => Promise<unknown>,
): Promise<ReadyJson> {
  const { bytes, etag } = await readCachedJson(context, parts, make)
  return new ReadyJson(bytes, etag)
}
