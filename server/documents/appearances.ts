// `doc.annotations.appearances` and `doc.forms.appearances`: pictures of all appearances of a page in one answer.
import type { Static } from 'typebox'
import { type AppearanceBatch, type AppearanceMode, appearanceModes } from '../../workers/contract/appearance-batch.js'
import { pageRef } from '../../workers/contract/page-ref.js'
import type { AppearancePictures, AppearancePicturesInput } from '../../workers/jobs/appearance-pictures.js'
import { type Multipart, multipartOf, type SentPart } from '../http/multipart.js'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import { objectNumberOf } from '../schemas/ids.js'
import type { AppearancesQuery } from '../schemas/reading.js'
import type { PinName } from './pins.js'
import { readCached } from './read.js'
import { encodingOf, viewportOf } from './render-query.js'

type Owner = AppearancePicturesInput['owner']

/** Pin that the pictures depend on. */
export const appearancePins = {
  annotations: 'annotationVersion',
  widgets: 'widgetVersion',
} as const satisfies Readonly<Record<Owner, PinName>>

export interface AppearancesRequest {
  readonly pageKey: string
  readonly query: Static<typeof AppearancesQuery>
  readonly owner: Owner
}

export async function appearancesOf(
  { pageKey, query, owner }: AppearancesRequest,
  context: DocumentContext,
): Promise<BytesAnswer> {
  const page = objectNumberOf(pageKey)
  const drawing = {
    modes: modesOf(query.modes),
    view: { viewport: viewportOf(query), rotation: query.rotation ?? 0 },
    encoding: encodingOf(query),
  }
  const { contentType, bytes, etag } = await readCached(context, {
    pins: [appearancePins[owner]],
    page,
    parts: ['appearances', owner, JSON.stringify(drawing)],
    make: async (source) => {
      const variant = variantOf(owner, drawing)
      const drawn = await context.deployment.workers.run('appearancePictures', {
        source,
        page,
        owner,
        variant,
        ...drawing,
      })
      return answerOf(page, drawn)
    },
  })
  return { contentType, body: bytes, headers: { ETag: etag } }
}

const modesOf = (modes: AppearancesRequest['query']['modes']): readonly AppearanceMode[] =>
  modes === undefined ? appearanceModes : appearanceModes.filter((mode) => modes.split('-').includes(mode))

/** Returns the cost class of the pictures: sizes are grouped by powers of two. */
function variantOf(owner: Owner, { view: { viewport }, encoding }: Pick<AppearancePicturesInput, 'view' | 'encoding'>) {
  const size = viewport.kind === 'width' ? viewport.width : viewport.scale
  return [owner, encoding.format, viewport.kind, Math.round(Math.log2(size))].join(' ')
}

function answerOf(page: number, { appearances, bytes }: AppearancePictures): Multipart {
  const files: SentPart[] = []
  let at = 0
  const entries = appearances.map(({ sizeBytes, ...appearance }, index) => {
    const { contentType, format } = appearance
    const key = String(index)
    files.push({ key, contentType, fileName: `${key}.${format}`, bytes: bytes.subarray(at, at + sizeBytes) })
    at += sizeBytes
    return { resources: { image: key }, ...appearance }
  })
  return multipartOf({ page: pageRef(page), appearances: entries } satisfies AppearanceBatch, files)
}
