// `doc.render`: a picture of a page, kept under everything it depends on.
import type { Static } from 'typebox'
import type { RenderInput } from '../../workers/jobs/render.js'
import { notFound } from '../errors.js'
import type { BytesAnswer, DocumentContext } from '../operation.js'
import { objectNumberOf } from '../schemas/ids.js'
import type { RenderQuery } from '../schemas/reading.js'
import { firstPin } from './pins.js'
import { readCached } from './read.js'
import { drawingOf } from './render-query.js'

export interface PictureWish {
  readonly pageKey: string
  readonly query: Static<typeof RenderQuery>
  readonly family: RenderInput['family']
}

export async function pictureOf(
  { pageKey, query, family }: PictureWish,
  context: DocumentContext,
): Promise<BytesAnswer> {
  const { contentVersion } = query
  const drawing = drawingOf(query)
  if (contentVersion !== undefined && contentVersion !== firstPin(context.document.row))
    throw notFound('version of this')
  const page = objectNumberOf(pageKey)
  const { contentType, bytes, etag } = await readCached(context, {
    parts: ['render', family, page, JSON.stringify(drawing)],
    make: (source) => context.deployment.workers.run('render', { source, page, family, ...drawing }),
  })
  return { contentType, body: bytes, headers: { ETag: etag } }
}
