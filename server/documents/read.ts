// Reads from the PDF of a layer: the cache is asked, then a worker thread. The one way every read goes.

import type { PdfSource } from '../../workers/task.js'
import type { DocumentContext } from '../operation.js'
import type { Kept, Made } from './read-cache.js'
import { type View, viewOf, withSource } from './view.js'

export interface CachedRead {
  /** Everything the answer depends on beyond the view: what is read, the page, the parameters. */
  readonly parts: readonly (string | number)[]
  readonly make: (source: PdfSource) => Promise<Made>
}

/** Work others may share goes on when this client leaves. */
export async function readCached(context: DocumentContext, { parts, make }: CachedRead): Promise<Kept> {
  const view = await viewOf(context)
  return context.deployment.readCache.get({ document: view.key, parts }, () => withSource(view, context, make))
}

/** JSON answers, kept as the bytes that are sent. */
export async function readCachedJson(
  context: DocumentContext,
  parts: readonly (string | number)[],
  make: (source: PdfSource) => Promise<unknown>,
): Promise<Kept> {
  return readCached(context, {
    parts,
    make: async (source) => ({
      contentType: 'application/json; charset=utf-8',
      bytes: Buffer.from(JSON.stringify(await make(source)), 'utf8'),
    }),
  })
}

export async function readOnce<Answer>(
  context: DocumentContext,
  make: (source: PdfSource, view: View) => Promise<Answer>,
): Promise<Answer> {
  const view = await viewOf(context)
  return withSource(view, context, (source) => make(source, view))
}
