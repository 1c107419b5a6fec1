// Creates a field, with its widgets.
import { Type } from 'typebox'
import { FieldDraft } from '../field-members.js'
import { updatedField } from '../form-results.js'
import { CountFromOne } from '../numbers.js'
import { modifyingForms } from './needs.js'
import { opContract } from './op-contract.js'

export const FormsCreate = opContract({
  type: 'forms.create',
  summary: 'Create a field, with its widgets',
  op: {
    draft: FieldDraft,
    objectNumber: Type.Optional(CountFromOne),
    widgetObjectNumbers: Type.Optional(Type.Array(CountFromOne)),
  },
  item: updatedField,
  authored: { createdWidgets: ({ widgets }) => widgets.map(({ ref }) => ref), createdField: ({ field }) => field.ref },
  needs: modifyingForms,
  protection: 'content',
  carries: 'document',
  isBatchable: true,
})
