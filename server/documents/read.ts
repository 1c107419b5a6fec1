// Reads from the PDF of a layer: the cache is asked, then a worker thread. The one way every read goes.

import type { JsonAnswer } from '../../workers/messages/json-answer.js'
import type { PdfSource } from '../../workers/messages/task.js'
import type { CachedAnswer, ComputedAnswer } from '../caches/answer-cache.js'
import type { DocumentContext } from '../operation/operation.js'
import { firstPin, type PinName, type Pins, pinsNamed } from './pins.js'
import { baseOf, type View, viewOf, withSource } from './view.js'

export interface Dependencies {
  /** Everything in the layer that can make the answer another one. */
  readonly pins: readonly PinName[]
  readonly page?: number
  /** What is read, and its parameters. */
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

/** The same for what is made without the file. */
export async function cached(
  context: DocumentContext,
  { page, parts, ...read }: Dependencies,
  make: (view: View) => Promise<ComputedAnswer>,
): Promise<CachedAnswer> {
  const pins = await pinsNamed(read.pins, context, page)
  const view = viewUnder(pins, await viewOf(context), context)
  const { layer } = context
  // Which pages there are is part of what a page shows once pages come and go.
  const scope = view.edits && layer ? [layer.id, layer.hasOwnLayout ? layer.pins.layoutVersion : 0] : [view.key]
  return context.deployment.caches.answers.get(
    { scope, parts: [...read.pins.map((name) => pins[name] ?? 0), page ?? 0, ...parts], account: flightOf(context) },
    () => make(view),
  )
}

/** Visitors of a share link wait for each other, and nobody else for them. */
const flightOf = ({ caller }: DocumentContext): string => (caller.kind === 'document' ? (caller.share ?? '') : '')

/** What the layer did not change is read from its version, and kept for every layer over it. */
function viewUnder(pins: Pins, view: View, { document, layer }: DocumentContext): View {
  const first = firstPin(document.row)
  const isOfVersion = view.version > 0 && !layer?.hasOwnLayout && Object.values(pins).every((pin) => pin === first)
  return isOfVersion ? baseOf(view) : view
}

/** What a worker made, or what became of it here. */
export type MakeJson = (source: PdfSource, view: View) => Promise<Pick<JsonAnswer, 'bytes'>>

/** JSON answers, kept as the bytes that are sent. */
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
