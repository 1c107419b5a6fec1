// Deletes a field, with the result of `forms.delete`; also used to undo the creation of a field.

import type { UndoStep } from '../../change/unfinished-item.js'
import { fieldRefOf } from '../../fields/field-names.js'
import { objectNumberOf } from '../../objects/values.js'
import type { FoundField } from '../reading/found-field.js'
import { numberField } from './attach-field.js'
import { formMeta } from './form-meta.js'
import { FormModel } from './form-model.js'
import { type RemovedField, removeField } from './remove-field.js'

export interface RestoreStep extends UndoStep {
  readonly type: 'forms.restore'
  readonly removed: RemovedField
}

export function deleteField(model: FormModel, found: FoundField) {
  const { change } = model
  const hadCalculations = model.calculationOrder.length
  const meta = formMeta(change, [found])
  const reference = numberField(model, found)
  const now = objectNumberOf(found.node.object) === undefined ? new FormModel(change) : model
  undoDelete(model, removeField(now, now.find(fieldRefOf(change.document, reference) ?? found.ref)))
  const order = new FormModel(change).calculationOrder
  const calculationOrder = order.filter((ref) => ref !== null)
  return {
    type: 'forms.delete' as const,
    ...(order.length !== hadCalculations && { calculationOrder }),
    meta,
  }
}

export function undoDelete({ change }: FormModel, removed: RemovedField): void {
  const step: RestoreStep = { type: 'forms.restore', removed }
  change.undoBy(step)
}
