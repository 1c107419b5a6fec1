// A cached JSON read as an answer: the very bytes that were kept, with their name.
import type { PdfSource } from '../../workers/task.js'
import { type DocumentContext, ReadyJson } from '../operation.js'
import { type Dependencies, readCachedJson } from './read.js'
import type { View } from './view.js'

export async function sendJson(
  context: DocumentContext,
  dependencies: Dependencies,
  make: (source: PdfSource, view: View) => Promise<unknown>,
): Promise<ReadyJson> {
  const { bytes, etag } = await readCachedJson(context, dependencies, make)
  return new ReadyJson(bytes, etag)
}
