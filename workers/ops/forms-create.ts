// `forms.create`: creates a field with its widgets. Its undo deletes the field, unless it was filled since.

import { opWork, undoWork } from '../change/op-work.js'
import type { FormFieldRef } from '../contract/form-field-ref.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { FormsCreate } from '../contract/ops/forms-create.js'
import { attachField, mustBeFreeName } from '../forms/writing/attach-field.js'
import { deleteField } from '../forms/writing/delete-field.js'
import { drawField } from '../forms/writing/draw-widget.js'
import { isSameValue, stateOf } from '../forms/writing/field-state.js'
import { formMeta } from '../forms/writing/form-meta.js'
import { FormModel } from '../forms/writing/form-model.js'
import { placeWidget } from '../forms/writing/place-widget.js'
import { skipped } from '../forms/writing/skipped.js'
import { type CreateStep, undoCreate } from '../forms/writing/undo-create.js'
import { writeKind, writeMembers } from '../forms/writing/write-members.js'
import { objectNumberOf } from '../objects/values.js'

export const work = opWork(FormsCreate, {
  apply({ draft, objectNumber, widgetObjectNumbers = [] }, change) {
    const { name, widgets = [], family, ...members } = draft
    mustBeFreeName(new FormModel(change), name)
    refuseSurplus(widgetObjectNumbers, widgets.length)
    // Some readers only recognise a signature in a widget that is also the field.
    const isMerged = family === 'signature' && widgets.length === 1
    const ofField = isMerged ? (objectNumber ?? widgetObjectNumbers[0]) : objectNumber
    const field = change.create(change.pdf.newDictionary(), ofField)
    writeKind(change, field, family)
    attachField(new FormModel(change), field, name)
    writeMembers(change, field, family, members)
    for (const [index, placement] of widgets.entries()) {
      placeWidget({ change, field, family, isMerged, objectNumber: widgetObjectNumbers[index] }, placement)
    }
    const ref: FormFieldRef = { kind: 'objectNumber', objectNumber: field.asIndirect() }
    const model = new FormModel(change)
    const found = model.find(ref)
    drawField(model, found)
    undoCreate(model, ref)
    const meta = formMeta(change, [found])
    return { type: 'forms.create' as const, field: model.read(found), widgets: model.widgetsOf(found), meta }
  },
})

function refuseSurplus(numbers: readonly number[], widgets: number): void {
  if (numbers.length <= widgets) return
  throw new JobRefusal(
    'InvalidArg',
    `The field has ${widgets} widgets, and ${numbers.length} object numbers for them`,
    {
      member: 'widgetObjectNumbers',
    },
  )
}

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
