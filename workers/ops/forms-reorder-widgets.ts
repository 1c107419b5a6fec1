// `forms.reorderWidgets`: changes the order of a page's widgets, which is that of the tabulator key; annotations
// between them keep their positions.
import { isDeepStrictEqual } from 'node:util'
import { touchAnnots } from '../annotations/promote-inline.js'
import type { Change } from '../change/change.js'
import { opWork, undoWork } from '../change/op-work.js'
import type { UndoStep } from '../change/unfinished-item.js'
import { type AnnotationRef, annotationKey } from '../contract/annotation-ref.js'
import { FormsReorderWidgets } from '../contract/ops/forms-reorder-widgets.js'
import { pageRef } from '../contract/page-ref.js'
import { isWidget } from '../fields/field-tree.js'
import { unchanged } from '../forms/writing/form-meta.js'
import { FormModel, formOnPage } from '../forms/writing/form-model.js'
import { ordered } from '../forms/writing/ordered.js'
import { skipped } from '../forms/writing/skipped.js'
import { rewriteArray } from '../objects/array-edits.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, objectNumberOf } from '../objects/values.js'

const type = 'forms.reorderWidgets' as const

export const work = opWork(FormsReorderWidgets, {
  apply({ page, widgets, position }, change) {
    const number = page.objectNumber
    const model = formOnPage(change, number)
    const refs = refsOn(model, number)
    const keys = ordered<AnnotationRef>([...refs.keys()], {
      moved: widgets.map((ref) => annotationKey(model.findWidget({ ...ref, page }).place.ref ?? ref)),
      position,
      keyOf: annotationKey,
    })
    return reorder(
      change,
      number,
      keys.map((key) => refs.get(key) ?? 0),
    )
  },
})

/** Returns the keys of a page's widgets, with their object numbers, in order. */
function refsOn(model: FormModel, page: number): ReadonlyMap<string, number> {
  return new Map(
    model.widgets.placed.flatMap(({ place }) =>
      place.page?.objectNumber === page && place.ref !== null
        ? [[annotationKey(place.ref), place.objectNumber] as const]
        : [],
    ),
  )
}

interface OrderStep extends UndoStep {
  readonly type: typeof type
  readonly page: number
  readonly before: readonly number[]
  readonly after: readonly number[]
}

function reorder(change: Change, page: number, order: readonly number[]) {
  const before = orderOn(change, page)
  const isChanged = !isDeepStrictEqual(before, [...order])
  if (isChanged) {
    const annots = touchAnnots(change, page)
    const waiting = [...order]
    const seen = new Set<number>()
    const elements = [...elementsOf(annots, readingLimits.annotsLengthMax)].flatMap((element) => {
      if (!isWidget(element)) return [element]
      const number = objectNumberOf(element) ?? 0
      if (seen.has(number)) return []
      seen.add(number)
      const next = waiting.shift()
      return next === undefined ? [element] : [change.pdf.newIndirect(next)]
    })
    rewriteArray(annots, elements)
    change.effects.page(page, 'widgets')
    const step: OrderStep = { type, page, before, after: order }
    change.undoBy(step)
  }
  const places = new FormModel(change).widgets.placed.flatMap(({ place }) =>
    place.page?.objectNumber === page && place.ref !== null ? [place] : [],
  )
  const moved = places.filter(({ objectNumber }) => before.indexOf(objectNumber) !== order.indexOf(objectNumber))
  const changedWidgets = moved.map(({ ref, objectNumber }) => ({ ref, objectNumber, page: pageRef(page) }))
  return {
    type,
    page: pageRef(page),
    order: places.flatMap(({ ref }) => ref ?? []),
    meta: { ...unchanged(), affectedPages: isChanged ? [pageRef(page)] : [], changedWidgets },
  }
}

function orderOn(change: Change, page: number): readonly number[] {
  const annots = entry(change.document.pageObject(page), 'Annots')
  const widgets = [...elementsOf(annots, readingLimits.annotsLengthMax)].filter(isWidget)
  return [...new Set(widgets.map((widget) => objectNumberOf(widget) ?? 0))]
}

export const undos = [
  undoWork<OrderStep>({
    type,
    apply({ page, before, after }, change) {
      const isAsLeft = change.document.hasPage(page) && isDeepStrictEqual(orderOn(change, page), after)
      return isAsLeft ? reorder(change, page, before) : skipped(type)
    },
  }),
]
