// `forms.create`: a new field, with the places it shows at. Taken back by deleting it, unless it was filled since.
import { objectNumberOf } from '../../pdf/values.js'
import { FormsCreate } from '../../shapes/changes/forms-fields.js'
import type { FormFieldRef } from '../../shapes/form-field-ref.js'
import { attachField, mustBeFreeName } from '../forms/attach-field.js'
import { deleteField } from '../forms/delete-field.js'
import { drawField } from '../forms/draw-widget.js'
import { isSameValue, stateOf } from '../forms/field-state.js'
import { formMeta } from '../forms/form-meta.js'
import { FormModel } from '../forms/form-model.js'
import { placeWidget } from '../forms/place-widget.js'
import { refuseChosenNumbers } from '../forms/refuse-chosen-numbers.js'
import { skipped } from '../forms/skipped.js'
import { type CreateStep, undoCreate } from '../forms/undo-create.js'
import { writeKind, writeMembers } from '../forms/write-members.js'
import { changeOperation, undoOperation } from '../operation.js'

export const formsCreate = changeOperation(FormsCreate, {
  type: 'forms.create',
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

export const formsCreateUndo = undoOperation<CreateStep>({
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
})
