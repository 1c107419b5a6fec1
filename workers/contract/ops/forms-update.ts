// Changes members of a field.
import { Type } from 'typebox'
import { FieldPatch } from '../field-members.js'
import { FormFieldRef } from '../form-field-ref.js'
import { updatedField } from '../form-results.js'
import { skippedMembers } from '../skipped-members.js'
import { modifyingForms } from './needs.js'
import { opContract } from './op-contract.js'

export const FormsUpdate = opContract({
  type: 'forms.update',
  summary: 'Change members of a field',
  op: { field: FormFieldRef, patch: FieldPatch, expect: Type.Optional(FieldPatch) },
  item: { ...updatedField, ...skippedMembers },
  names: { fields: ({ field }) => [field] },
  needs: modifyingForms,
  protection: 'content',
  carries: 'document',
  isBatchable: true,
})
