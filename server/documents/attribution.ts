// Joins authorship into lists read from a layer, a few items at a time. List and rows belong to the same change; otherwise
// the read starts again.

import type { AnnotationRef } from '../../workers/contract/annotation-ref.js'
import type { Annotation } from '../../workers/contract/annotations/annotation.js'
import type { FormSnapshot } from '../../workers/contract/form-snapshot.js'
import type { JsonAnswer } from '../../workers/messages/json-answer.js'
import { attributedAnnotation, attributedField, fieldNumber } from '../layers/attribution.js'
import type { Deployment } from '../operation/deployment.js'
import type { DocumentContext } from '../operation/operation.js'
import type { AuthorshipRow } from '../rows/authorship.js'
import type { LayerRow } from '../rows/layer.js'
import { LayerMoved } from './layer-moved.js'
import type { View } from './view.js'

/** False for an upload that nobody edited: no authorship is stored then. */
export const hasAuthors = ({ edits }: Pick<View, 'edits'>, { document }: Pick<DocumentContext, 'document'>): boolean =>
  edits !== undefined || document.row.headVersion > 1

type Rows = ReadonlyMap<number | undefined, AuthorshipRow>

/** Context of the layer that is read, as of the start of the request. */
export type AttributionContext = Pick<DocumentContext, 'tenant' | 'document' | 'layerName' | 'layer' | 'moved'> & {
  readonly deployment: Pick<Deployment, 'tables' | 'turns'>
}

/** Functions that attribute the items of one list. */
interface Attribution<Item> {
  /** Returns the object number of the authorship row; undefined = none is stored. */
  readonly numberOf: (item: Item) => number | undefined
  readonly attributed: (item: Item, row: AuthorshipRow | undefined) => Item
}

/** Rewrites items, as JSON without the brackets; undefined = unchanged. */
type Rewriter = (items: string) => Promise<string | undefined>

export function attributedList(list: JsonAnswer, context: AttributionContext): Promise<JsonAnswer> {
  const annotations = rewriterOf(annotationsIn(context.layer), context)
  return rewritten(list, { annotations }, context)
}

export function attributedForm(form: JsonAnswer, context: AttributionContext): Promise<JsonAnswer> {
  const fields = rewriterOf<FormSnapshot['fields'][number]>(
    { numberOf: ({ ref }) => fieldNumber(ref), attributed: attributedField },
    context,
  )
  const widgets = rewriterOf(annotationsIn(context.layer), context)
  return rewritten(form, { fields, widgets }, context)
}

const annotationsIn = (layer: LayerRow | undefined): Attribution<Annotation> => ({
  numberOf: annotationNumbers(layer),
  attributed: attributedAnnotation,
})

function rewriterOf<Item>({ numberOf, attributed }: Attribution<Item>, context: AttributionContext): Rewriter {
  return async (text) => {
    const items: readonly Item[] = JSON.parse(`[${text}]`)
    const rows = await rowsOf(items.map(numberOf), context)
    if (rows.size === 0) return undefined
    return JSON.stringify(items.map((item) => attributed(item, rows.get(numberOf(item))))).slice(1, -1)
  }
}

/** Rewrites the list in runs of a few items, yielding to other requests in between. */
async function rewritten(
  { bytes, runs }: JsonAnswer,
  lists: Readonly<Record<string, Rewriter>>,
  { deployment }: AttributionContext,
): Promise<JsonAnswer> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pieces: Uint8Array[] = []
  let done = 0
  for (const { member, from, to } of runs) {
    const rewrite = lists[member]
    if (!rewrite) continue
    await deployment.turns.next()
    const items = await rewrite(source.toString('utf8', from, to))
    if (items === undefined) continue
    pieces.push(source.subarray(done, from), Buffer.from(items, 'utf8'))
    done = to
  }
  return { bytes: done === 0 ? bytes : Buffer.concat([...pieces, source.subarray(done)]), runs: [] }
}

/** Returns a function from an annotation to the object number of its authorship row; undefined = none is stored. */
function annotationNumbers(layer: LayerRow | undefined): ({ ref }: Annotation) => number | undefined {
  const keyOf = (page: number, baseIndex: number) => `${page}/${baseIndex}`
  // A map, because lists may be long.
  const promoted = new Map(
    layer?.promoted.map(({ page, baseIndex, objectNumber }) => [keyOf(page, baseIndex), objectNumber]),
  )
  const numberOf = (ref: AnnotationRef) =>
    ref.kind === 'objectNumber' ? ref.objectNumber : promoted.get(keyOf(ref.page.objectNumber, ref.baseIndex))
  return ({ ref }) => numberOf(ref)
}

/**
 * Reads the authorship rows. Rows of the layer take precedence over those that a signature published with the version.
 * Throws `LayerMoved` if the rows may be newer than those of the request.
 */
async function rowsOf(numbers: readonly (number | undefined)[], context: AttributionContext): Promise<Rows> {
  const { deployment, tenant, document, layerName, layer, moved } = context
  const { tables } = deployment
  const place = [tenant.internal, document.internal, layerName] as const
  const stored = [...new Set(numbers)].filter((number) => number !== undefined)
  const slots = stored.map((number) => tables.authorship.at([...place, number]))
  const ofDocument = [tenant.internal, document.internal] as const
  const { headVersion } = document.row
  const published =
    headVersion > 1 ? stored.map((number) => tables.publishedAuthorship.at([...ofDocument, number])) : []
  const heads = [tables.layers.at(place), tables.documents.at(ofDocument)] as const
  const [now, head, ...rows] = await tables.getMany([...heads, ...slots, ...published])
  if (head?.headVersion !== headVersion || !isSame(now, moved?.stored ?? layer)) throw new LayerMoved()
  const rowsByNumber = new Map<number | undefined, AuthorshipRow>()
  for (const [index, number] of stored.entries()) {
    const row = rows[index] ?? rows[stored.length + index]
    if (row) rowsByNumber.set(number, row)
  }
  return rowsByNumber
}

/** True if no change was committed in between: authorship changes only together with content. */
const isSame = (now: LayerRow | undefined, then: LayerRow | undefined): boolean =>
  now?.pins.annotationsVersion === then?.pins.annotationsVersion && now?.pins.formsVersion === then?.pins.formsVersion
