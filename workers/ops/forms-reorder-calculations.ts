// `forms.reorderCalculations`: changes the order in which fields are calculated (ISO 32000-2, 12.7.3: /CO).
import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../change/change.js'
import { opWork, undoWork } from '../change/op-work.js'
import type { UndoStep } from '../change/unfinished-item.js'
import type { FormFieldRef } from '../contract/form-field-ref.js'
import { FormsReorderCalculations } from '../contract/ops/forms-reorder-calculations.js'
import { fieldKey } from '../fields/field-names.js'
import { touchArray, touchForm } from '../forms/writing/form-dictionary.js'
import { unchanged } from '../forms/writing/form-meta.js'
import { FormModel } from '../forms/writing/form-model.js'
import { ordered } from '../forms/writing/ordered.js'
import { skipped } from '../forms/writing/skipped.js'
import { rewriteArray } from '../objects/array-edits.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, objectNumberOf } from '../objects/values.js'

const type = 'forms.reorderCalculations' as const

export const work = opWork(FormsReorderCalculations, {
  apply({ fields, position }, change) {
    const model = new FormModel(change)
    const keyOf = (ref: FormFieldRef): string => fieldKey(model.find(ref).ref)
    const numbers = new Map<string, number>(orderOf(change).map((number) => [`obj:${number}`, number]))
    const keys = ordered([...numbers.keys()], { moved: fields.map(keyOf), position, keyOf })
    return reorder(
      change,
      keys.map((key) => numbers.get(key) ?? 0),
    )
  },
})

interface OrderStep extends UndoStep {
  readonly type: typeof type
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/** Returns object numbers; inline fields cannot be calculated, and are dropped when the order is written. */
function orderOf({ document }: Change): readonly number[] {
  const order = entry(document.catalog, 'AcroForm', 'CO')
  const numbers = [...elementsOf(order, readingLimits.fieldNodesMax)].flatMap((field) => objectNumberOf(field) ?? [])
  return [...new Set(numbers)]
}

function reorder(change: Change, order: readonly number[]) {
  const before = orderOf(change)
  if (!isDeepStrictEqual(before, [...order])) {
    const array = touchArray(change, touchForm(change), 'CO')
    rewriteArray(
      array,
      order.map((number) => change.pdf.newIndirect(number)),
    )
    change.effects.document('forms')
    const step: OrderStep = { type, before, after: order }
    change.undoBy(step)
  }
  const calculationOrder = new FormModel(change).calculationOrder.filter((ref) => ref !== null)
  const isMoved = (ref: FormFieldRef): boolean =>
    ref.kind === 'objectNumber' && before.indexOf(ref.objectNumber) !== order.indexOf(ref.objectNumber)
  return { type, calculationOrder, meta: { ...unchanged(), changedFields: calculationOrder.filter(isMoved) } }
}

export const undos = [
  undoWork<OrderStep>({
    type,
    apply({ before, after }, change) {
      return isDeepStrictEqual(orderOf(change), after) ? reorder(change, before) : skipped(type)
    },
  }),
]
