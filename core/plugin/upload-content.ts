// Finds the local source of an upload among those that its declaration names, and reads its bytes.
import type { LocalSource } from './declaration.js'
import type { Call, CreateRequest, SourceContent } from './handler.js'

type UploadSource = Pick<CreateRequest, 'desired' | 'sources'>

/**
 * Finds the source whose digest is `sha256` in `desired`, and whose name is `filename` if there is one. Equal digests
 * mean equal bytes; the name distinguishes files with the same content.
 */
export function wantedSource({ desired, sources }: UploadSource): LocalSource {
  const { sha256, filename } = desired
  for (const source of sources.values())
    if (source.sha256 === sha256 && (filename === undefined || filename === source.baseName)) return source
  throw new Error('an upload was asked for without its source')
}

/** Reads the bytes of the source whose digest is `desired.sha256`. */
export function contentOf<Client>(call: Call<Client>, wanted: UploadSource): Promise<SourceContent> {
  return call.content(wantedSource(wanted))
}
