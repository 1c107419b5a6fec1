// Reading what an upload is made of.
import type { Call, CreateRequest, SourceContent } from '../../core/plugin/handler.js'

/** The content whose digest was planned; a declaration may name several sources. */
export async function contentOf<Client>(
  call: Call<Client>,
  { desired, sources }: Pick<CreateRequest, 'desired' | 'sources'>,
): Promise<SourceContent> {
  const source = [...sources.values()].find(({ sha256 }) => sha256 === desired['sha256'])
  if (!source) throw new Error('an upload was asked for without its source')
  return call.content(source)
}
