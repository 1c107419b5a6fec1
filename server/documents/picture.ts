// `doc.render`: a picture of a page, cached under every pin and parameter it depends on.
import type { Static } from 'typebox'
import type { RenderInput } from '../../workers/jobs/render.js'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import { notFound } from '../refusals/refusal.js'
import { objectNumberOf } from '../schemas/ids.js'
import type { RenderQuery } from '../schemas/reading.js'
import { type PinName, pagePinsOf } from './pins.js'
import { readCached } from './read.js'
import { type Drawing, drawingOf } from './render-query.js'

export interface PictureQuery {
  readonly pageKey: string
  readonly query: Static<typeof RenderQuery>
  readonly family: RenderInput['family']
}

/** Pins that each render family depends on. */
export const picturePins = {
  pages: ['contentVersion'],
  annotations: ['annotationVersion'],
  fields: ['widgetVersion'],
  all: ['annotationVersion', 'contentVersion', 'widgetVersion'],
} as const satisfies Readonly<Record<RenderInput['family'], readonly PinName[]>>

export async function pictureOf(
  { pageKey, query, family }: PictureQuery,
  context: DocumentContext,
): Promise<BytesAnswer> {
  const { contentVersion } = query
  const drawing = drawingOf(query)
  const page = objectNumberOf(pageKey)
  if (contentVersion !== undefined && contentVersion !== (await pagePinsOf(page, context)).contentVersion)
    throw notFound('version of this')
  const { contentType, bytes, etag } = await readCached(context, {
    pins: picturePins[family],
    page,
    parts: ['render', family, JSON.stringify(drawing)],
    make: (source) =>
      context.deployment.workers.run('render', {
        source,
        page,
        variant: variantOf(family, drawing),
        family,
        ...drawing,
      }),
  })
  return { contentType, body: bytes, headers: { ETag: etag } }
}

/** Returns the cost class of a picture: sizes are grouped by powers of two. */
function variantOf(family: RenderInput['family'], { view: { viewport, target }, encoding }: Drawing): string {
  const size = viewport.kind === 'width' ? viewport.width : viewport.scale
  const part = target === undefined ? 'page' : [target.width, target.height].map((side) => Math.round(Math.log2(side)))
  return [family, encoding.format, viewport.kind, Math.round(Math.log2(size)), part].join(' ')
}
