// `forms.addWidget`: adds a widget to a field.

import { opWork, undoWork } from '../change/op-work.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { FormsAddWidget } from '../contract/ops/forms-add-widget.js'
import { numberField } from '../forms/writing/attach-field.js'
import { drawWidget } from '../forms/writing/draw-widget.js'
import { formMeta, withFormer } from '../forms/writing/form-meta.js'
import { FormModel, formWith } from '../forms/writing/form-model.js'
import { placeWidget } from '../forms/writing/place-widget.js'
import { skipped } from '../forms/writing/skipped.js'
import { split } from '../forms/writing/split-field.js'
import { dropWidget, readNow, rejoin } from '../forms/writing/take-widget.js'
import { type AddStep, undoAdd } from '../forms/writing/undo-widgets.js'
import { objectNumberOf } from '../objects/values.js'

export const work = opWork(FormsAddWidget, {
  apply({ field: ref, placement, objectNumber, splitObjectNumber }, change) {
    const before = formWith(change, [ref])
    const owner = before.find(ref)
    const { family } = before.read(owner)
    if (family === 'unknown')
      throw new JobRefusal('InvalidArg', 'The family of the field is unknown', { field: owner.ref })
    const numbered = change.touch(numberField(before, owner))
    const field = split(change, numbered, splitObjectNumber)
    const widget = placeWidget({ change, field, family, objectNumber }, placement)
    const model = new FormModel(change)
    const found = model.find({ kind: 'objectNumber', objectNumber: field.asIndirect() })
    drawWidget({ model, found, field: model.read(found), widget })
    undoAdd(change, widget.asIndirect())
    const isSplit = field.asIndirect() !== numbered.asIndirect()
    // The object number of the field that the existing widget refers to has changed.
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
