// `forms.addWidget`: one more place where a field shows.

import { numberField } from '../changes/forms/attach-field.js'
import { drawWidget } from '../changes/forms/draw-widget.js'
import { formMeta, withFormer } from '../changes/forms/form-meta.js'
import { FormModel, formWith } from '../changes/forms/form-model.js'
import { placeWidget } from '../changes/forms/place-widget.js'
import { refuseChosenNumbers } from '../changes/forms/refuse-chosen-numbers.js'
import { skipped } from '../changes/forms/skipped.js'
import { split } from '../changes/forms/split-field.js'
import { dropWidget, readNow, rejoin } from '../changes/forms/take-widget.js'
import { type AddStep, undoAdd } from '../changes/forms/undo-widgets.js'
import { opWork, undoWork } from '../changes/operation.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { FormsAddWidget } from '../contract/ops/forms-add-widget.js'
import { objectNumberOf } from '../pdf/values.js'

export const work = opWork(FormsAddWidget, {
  apply({ field: ref, placement, objectNumber, splitObjectNumber }, change) {
    refuseChosenNumbers(objectNumber, splitObjectNumber)
    const before = formWith(change, [ref])
    const owner = before.find(ref)
    const { family } = before.read(owner)
    if (family === 'unknown')
      throw new JobRefusal('InvalidArg', 'The field is of no known family', { field: owner.ref })
    const numbered = change.touch(numberField(before, owner))
    const field = split(change, numbered)
    const widget = placeWidget({ change, field, family }, placement)
    const model = new FormModel(change)
    const found = model.find({ kind: 'objectNumber', objectNumber: field.asIndirect() })
    drawWidget({ model, found, field: model.read(found), widget })
    undoAdd(change, widget.asIndirect())
    const isSplit = field.asIndirect() !== numbered.asIndirect()
    // The existing widget refers to its field by another number now.
    const changed = found.widgets.filter(({ place }) => isSplit || place.objectNumber === widget.asIndirect())
    const places = changed.map(({ place }) => place)
    const meta = withFormer(formMeta(change, [found], places), owner.ref)
    return { type: 'forms.addWidget' as const, field: model.read(found), widgets: model.widgetsOf(found), meta }
  },
})

export const undos = [
  undoWork<AddStep>({
    type: 'forms.addWidget',
    apply({ widget }, change) {
      const model = new FormModel(change)
      const placed = model.widgets.placed.find(({ object }) => objectNumberOf(object) === widget)
      if (placed === undefined) return skipped('forms.deleteWidget')
      const found = model.fieldOf(placed)
      const item = dropWidget(model, placed)
      if (found === undefined) return item
      rejoin(change, found.ref)
      const field = readNow(change, found.ref)
      return { ...item, field, meta: withFormer({ ...item.meta, changedFields: [field.ref] }, found.ref) }
    },
  }),
]
