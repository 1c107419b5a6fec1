// Undoes the creation or restoration of a field, unless its value was changed since.

import type { UndoStep } from '../../change/unfinished-item.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import { type FieldState, stateOf } from './field-state.js'
import type { FormModel } from './form-model.js'

export interface CreateStep extends UndoStep {
  readonly type: 'forms.create'
  readonly field: FormFieldRef
  readonly state: FieldState
}

export function undoCreate(model: FormModel, field: FormFieldRef): void {
  const step: CreateStep = { type: 'forms.create', field, state: stateOf(model, model.find(field)) }
  model.change.undoBy(step)
}
