// Sends a cached JSON read: the cached bytes with their entity tag.
import { type DocumentContext, ReadyJson } from '../operation/operation.js'
import { type Dependencies, type MakeJson, readCachedJson } from './read.js'

export async function sendJson(
  context: DocumentContext,
  dependencies: Dependencies,
  make: MakeJson,
): Promise<ReadyJson> {
  const { bytes, etag } = await readCachedJson(context, dependencies, make)
  return new ReadyJson(bytes, etag)
}
