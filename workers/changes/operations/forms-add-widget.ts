// `forms.addWidget`: one more place where a field shows.
import { objectNumberOf } from '../../pdf/values.js'
import { FormsAddWidget } from '../../shapes/changes/forms-widgets.js'
import { JobRefusal } from '../../task.js'
import { numberField } from '../forms/attach-field.js'
import { drawWidget } from '../forms/draw-widget.js'
import { formMeta } from '../forms/form-meta.js'
import { FormModel, formWith } from '../forms/form-model.js'
import { placeWidget, split } from '../forms/place-widget.js'
import { refuseChosenNumbers } from '../forms/refuse-chosen-numbers.js'
import { skipped } from '../forms/skipped.js'
import { takeWidget } from '../forms/take-widget.js'
import { type AddStep, undoAdd } from '../forms/undo-widgets.js'
import { changeOperation, undoOperation } from '../operation.js'

export const formsAddWidget = changeOperation(FormsAddWidget, {
  type: 'forms.addWidget',
  apply({ field: ref, placement, objectNumber, splitObjectNumber }, change) {
    refuseChosenNumbers(objectNumber, splitObjectNumber)
    const before = formWith(change, [ref])
    const owner = before.find(ref)
    const { family } = before.read(owner)
    if (family === 'unknown')
      throw new JobRefusal('InvalidArg', 'The field is of no known family', { field: owner.ref })
    const field = change.touch(numberField(before, owner))
    const numbered = new FormModel(change).find({ kind: 'objectNumber', objectNumber: field.asIndirect() })
    const moved = new Set(numbered.widgets.map(({ place }) => place.objectNumber))
    split(change, numbered)
    const widget = placeWidget({ change, field, family }, placement)
    const model = new FormModel(change)
    const found = model.find({ kind: 'objectNumber', objectNumber: field.asIndirect() })
    drawWidget({ model, found, field: model.read(found), widget })
    undoAdd(change, widget.asIndirect())
    const made = found.widgets.filter(({ place }) => !moved.has(place.objectNumber)).map(({ place }) => place)
    const meta = formMeta(change, [found], made)
    return { type: 'forms.addWidget' as const, field: model.read(found), widgets: model.widgetsOf(found), meta }
  },
})

export const formsAddWidgetUndo = undoOperation<AddStep>({
  type: 'forms.addWidget',
  apply({ widget }, change) {
    const model = new FormModel(change)
    const placed = model.widgets.placed.find(({ object }) => objectNumberOf(object) === widget)
    return placed === undefined ? skipped('forms.deleteWidget') : takeWidget(model, placed)
  },
})
