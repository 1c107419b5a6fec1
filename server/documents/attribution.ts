// Joins who wrote what into lists that were read from a layer. The rows are of the very change the list shows, or the read
// begins again.
import type { AnnotationRef } from '../../workers/shapes/annotation-ref.js'
import type { Annotation } from '../../workers/shapes/annotations/annotation.js'
import type { AnnotationList } from '../../workers/shapes/annotations/annotation-list.js'
import type { FormSnapshot } from '../../workers/shapes/form-snapshot.js'
import { attributedAnnotation, attributedField, fieldNumber } from '../changes/attribution.js'
import type { DocumentContext } from '../operation.js'
import type { AuthorshipRow } from '../rows/authorship.js'
import type { LayerRow } from '../rows/layer.js'
import { LayerMoved } from './layer-moved.js'

type Rows = ReadonlyMap<number | undefined, AuthorshipRow>

export async function attributedList(list: AnnotationList, context: DocumentContext): Promise<AnnotationList> {
  const numberOf = numbering(context.layer)
  const rows = await rowsOf(list.annotations.map(numberOf), context)
  return { ...list, annotations: list.annotations.map((one) => attributedAnnotation(one, rows.get(numberOf(one)))) }
}

export async function attributedForm(form: FormSnapshot, context: DocumentContext): Promise<FormSnapshot> {
  const numberOf = numbering(context.layer)
  const fieldNumbers = form.fields.map(({ ref }) => fieldNumber(ref))
  const rows = await rowsOf([...fieldNumbers, ...form.widgets.map(numberOf)], context)
  return {
    ...form,
    fields: form.fields.map((field, index) => attributedField(field, rows.get(fieldNumbers[index]))),
    widgets: form.widgets.map((widget) => attributedAnnotation(widget, rows.get(numberOf(widget)))),
  }
}

/** The number authorship is kept under; undefined = nothing was ever written of it. */
function numbering(layer: LayerRow | undefined): ({ ref }: Annotation) => number | undefined {
  const keyOf = (page: number, baseIndex: number) => `${page}/${baseIndex}`
  // Looked up once for each of what may be many.
  const promoted = new Map(
    layer?.promoted.map(({ page, baseIndex, objectNumber }) => [keyOf(page, baseIndex), objectNumber]),
  )
  const numberOf = (ref: AnnotationRef) =>
    ref.kind === 'objectNumber' ? ref.objectNumber : promoted.get(keyOf(ref.page.objectNumber, ref.baseIndex))
  return ({ ref }) => numberOf(ref)
}

/** Throws `LayerMoved` when they may be newer than the rows of the request. */
async function rowsOf(numbers: readonly (number | undefined)[], context: DocumentContext): Promise<Rows> {
  const { deployment, tenant, document, layerName, layer } = context
  const { tables } = deployment
  const place = [tenant.internal, document.internal, layerName] as const
  const wanted = [...new Set(numbers)].filter((number) => number !== undefined)
  const slots = wanted.map((number) => tables.authorship.at([...place, number]))
  const [now, ...rows] = await tables.getMany([tables.layers.at(place), ...slots])
  if (!isSame(now, layer)) throw new LayerMoved()
  const known = new Map<number | undefined, AuthorshipRow>()
  for (const [index, number] of wanted.entries()) {
    const row = rows[index]
    if (row) known.set(number, row)
  }
  return known
}

/** Whose something is changes only together with what it is. */
const isSame = (now: LayerRow | undefined, then: LayerRow | undefined): boolean =>
  now?.pins.annotationsVersion === then?.pins.annotationsVersion && now?.pins.formsVersion === then?.pins.formsVersion
