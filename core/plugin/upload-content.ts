// Which of the local sources at hand an upload is about, and its bytes: one declaration may name several.
import type { LocalSource } from './declaration.js'
import type { Call, CreateRequest, SourceContent } from './handler.js'

type UploadSource = Pick<CreateRequest, 'desired' | 'sources'>

/**
 * The source whose digest `desired` holds as `sha256` (and its `filename`, if it has one).
 *
 * Equal digests mean equal bytes; a file that says its name is not mistaken for an equal one of another name.
 */
export function wantedSource({ desired, sources }: UploadSource): LocalSource {
  const { sha256, filename } = desired
  for (const source of sources.values())
    if (source.sha256 === sha256 && (filename === undefined || filename === source.baseName)) return source
  throw new Error('an upload was asked for without its source')
}

/** The bytes of the source that `desired.sha256` is the digest of. */
export function contentOf<Client>(call: Call<Client>, wanted: UploadSource): Promise<SourceContent> {
  return call.content(wantedSource(wanted))
}
