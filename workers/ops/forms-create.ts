// `forms.create`: a new field, with the places it shows at. Taken back by deleting it, unless it was filled since.

import { attachField, mustBeFreeName } from '../changes/forms/attach-field.js'
import { deleteField } from '../changes/forms/delete-field.js'
import { drawField } from '../changes/forms/draw-widget.js'
import { isSameValue, stateOf } from '../changes/forms/field-state.js'
import { formMeta } from '../changes/forms/form-meta.js'
import { FormModel } from '../changes/forms/form-model.js'
import { placeWidget } from '../changes/forms/place-widget.js'
import { refuseChosenNumbers } from '../changes/forms/refuse-chosen-numbers.js'
import { skipped } from '../changes/forms/skipped.js'
import { type CreateStep, undoCreate } from '../changes/forms/undo-create.js'
import { writeKind, writeMembers } from '../changes/forms/write-members.js'
import { opWork, undoWork } from '../changes/operation.js'
import type { FormFieldRef } from '../contract/form-field-ref.js'
import { FormsCreate } from '../contract/ops/forms-create.js'
import { objectNumberOf } from '../pdf/values.js'

export const work = opWork(FormsCreate, {
  apply({ draft, objectNumber, widgetObjectNumbers }, change) {
    refuseChosenNumbers(objectNumber, ...(widgetObjectNumbers ?? []))
    const { name, widgets = [], family, ...members } = draft
    mustBeFreeName(new FormModel(change), name)
    const field = change.create(change.pdf.newDictionary())
    writeKind(change, field, family)
    attachField(new FormModel(change), field, name)
    writeMembers(change, field, family, members)
    for (const placement of widgets) placeWidget({ change, field, family }, placement)
    const ref: FormFieldRef = { kind: 'objectNumber', objectNumber: field.asIndirect() }
    const model = new FormModel(change)
    const found = model.find(ref)
    drawField(model, found)
    undoCreate(model, ref)
    const meta = formMeta(change, [found])
    return { type: 'forms.create' as const, field: model.read(found), widgets: model.widgetsOf(found), meta }
  },
})

export const undos = [
  undoWork<CreateStep>({
    type: 'forms.create',
    apply({ field, state }, change) {
      const model = new FormModel(change)
      const found = model.lookUp(field)
      const isAsMade =
        found !== undefined &&
        objectNumberOf(found.node.object) !== undefined &&
        isSameValue(stateOf(model, found), state)
      return isAsMade ? deleteField(model, found) : skipped('forms.delete', found ? 'changed' : 'gone', field)
    },
  }),
]
