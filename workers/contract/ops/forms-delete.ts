// Removes a field from the form, with its widgets and descendants.
import { Type } from 'typebox'
import { FieldPatch } from '../field-members.js'
import { FormFieldRef } from '../form-field-ref.js'
import { calculationOrder, changedField } from '../form-results.js'
import { FormMeta } from '../mutation-meta.js'
import { modifyingForms } from './needs.js'
import { opContract } from './op-contract.js'

/** Item of an undo step: the field that it restored. */
const FormsRestore = Type.Object({ type: Type.Literal('forms.restore'), ...changedField })

export const FormsDelete = opContract({
  type: 'forms.delete',
  summary: 'Remove a field from the form, with its widgets and the fields below it',
  op: { field: FormFieldRef, expect: Type.Optional(FieldPatch) },
  item: { calculationOrder, meta: FormMeta },
  undoItems: [FormsRestore],
  names: { fields: ({ field }) => [field] },
  needs: modifyingForms,
  protection: 'content',
  carries: 'document',
  isBatchable: true,
})
