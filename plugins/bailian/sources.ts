// Which of the sources at hand an upload is about: one declaration may name several.
import type { LocalSource } from '../../core/declaration/declaration.js'
import type { CreateRequest } from '../../core/plugin/handler.js'

/** The one whose digest is wanted; equal digests mean equal bytes. */
export function wantedSource({ desired, sources }: Pick<CreateRequest, 'desired' | 'sources'>): LocalSource {
  for (const source of sources.values()) if (source.sha256 === desired['sha256']) return source
  throw new Error('an upload was asked for without its source')
}
