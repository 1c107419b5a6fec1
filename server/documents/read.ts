// Reads from the PDF of a layer, from the cache or else a worker thread. All reads go through here.

import type { JsonAnswer } from '../../workers/messages/json-answer.js'
import type { PdfSource } from '../../workers/messages/task.js'
import type { CachedAnswer, ComputedAnswer } from '../caches/answer-cache.js'
import { basePin } from '../layers/base-pins.js'
import type { DocumentContext } from '../operation/operation.js'
import { type PinName, type Pins, pinsNamed } from './pins.js'
import { baseOf, type View, viewOf, withSource } from './view.js'

export interface Dependencies {
  /** Pins of all content that the result depends on. */
  readonly pins: readonly PinName[]
  readonly page?: number
  /** Name and parameters of the read. */
  readonly parts: readonly (string | number)[]
}

export interface CachedRead extends Dependencies {
  readonly make: (source: PdfSource, view: View) => Promise<ComputedAnswer>
}

/**
 * Caches the answer under the pins it depends on, so that an edit elsewhere leaves it in the cache. Work that others may
 * share goes on when this client disconnects. Throws `LayerMoved`.
 */
export async function readCached(context: DocumentContext, { make, ...read }: CachedRead): Promise<CachedAnswer> {
  return cached(context, read, (view) => withSource(view, context, (source) => make(source, view)))
}

/** Returns a cached result of a read that does not need the file, see `readCached`. */
export async function cached(
  context: DocumentContext,
  { page, parts, ...read }: Dependencies,
  make: (view: View) => Promise<ComputedAnswer>,
): Promise<CachedAnswer> {
  const pins = await pinsNamed(read.pins, context, page)
  const view = viewUnder(pins, await viewOf(context), context)
  const { layer } = context
  // Content of a page may depend on which pages exist, so a changed layout is part of the key.
  const scope = view.edits && layer ? [layer.id, layer.hasOwnLayout ? layer.pins.layoutVersion : 0] : [view.key]
  return context.deployment.caches.answers.get(
    { scope, parts: [...read.pins.map((name) => pins[name] ?? 0), page ?? 0, ...parts], account: flightOf(context) },
    () => make(view),
  )
}

/** Key of shared work: visitors of a share link share work only among themselves. */
const flightOf = ({ caller }: DocumentContext): string => (caller.kind === 'document' ? (caller.share ?? '') : '')

/** Returns the base view for content that the layer did not change, so that its layers share the cache entry. */
function viewUnder(pins: Pins, view: View, { document, layer }: DocumentContext): View {
  const unchanged = basePin({ document, layer })
  const isOfVersion = view.version > 0 && !layer?.hasOwnLayout && Object.values(pins).every((pin) => pin === unchanged)
  return isOfVersion ? baseOf(view) : view
}

/** Produces the JSON of a cached read. */
export type MakeJson = (source: PdfSource, view: View) => Promise<Pick<JsonAnswer, 'bytes'>>

/** Returns JSON that is cached as response bytes, see `readCached`. */
export async function readCachedJson(
  context: DocumentContext,
  dependencies: Dependencies,
  make: MakeJson,
): Promise<CachedAnswer> {
  return readCached(context, {
    ...dependencies,
    make: async (source, view) => ({
      contentType: 'application/json; charset=utf-8',
      bytes: (await make(source, view)).bytes,
    }),
  })
}

export async function readOnce<Answer>(
  context: DocumentContext,
  make: (source: PdfSource) => Promise<Answer>,
): Promise<Answer> {
  return withSource(await viewOf(context), context, make)
}
