// Reading what an upload is made of.
import type { LocalSource } from '../../core/declaration/declaration.js'
import type { Call, SourceContent } from '../../core/plugin/handler.js'

/** The content of the one source that files and skills name. */
export async function contentOf<Client>(
  call: Call<Client>,
  sources: ReadonlyMap<string, LocalSource>,
): Promise<SourceContent> {
  const [source] = sources.values()
  if (!source) throw new Error('an upload was asked for without its source')
  return call.content(source)
}
