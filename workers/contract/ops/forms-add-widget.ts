// Adds a widget to a field.
import { Type } from 'typebox'
import { FormFieldRef } from '../form-field-ref.js'
import { changedField } from '../form-results.js'
import { CountFromOne } from '../numbers.js'
import { WidgetPlacement } from '../widget-look.js'
import { modifyingForms } from './needs.js'
import { opContract } from './op-contract.js'

export const FormsAddWidget = opContract({
  type: 'forms.addWidget',
  summary: 'Show a field at a further place',
  op: {
    field: FormFieldRef,
    placement: WidgetPlacement,
    objectNumber: Type.Optional(CountFromOne),
    splitObjectNumber: Type.Optional(CountFromOne),
  },
  item: changedField,
  names: { fields: ({ field }) => [field] },
  needs: modifyingForms,
  protection: 'content',
  carries: 'document',
  isBatchable: true,
})
