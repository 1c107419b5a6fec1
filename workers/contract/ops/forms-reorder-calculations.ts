// Changes the order in which fields are calculated.
import { Type } from 'typebox'
import { FormFieldRef } from '../form-field-ref.js'
import { FieldPosition } from '../list-position.js'
import { FormMeta } from '../mutation-meta.js'
import { modifyingForms } from './needs.js'
import { opContract } from './op-contract.js'

export const FormsReorderCalculations = opContract({
  type: 'forms.reorderCalculations',
  summary: 'Change the order in which fields are calculated',
  op: { fields: Type.Array(FormFieldRef, { minItems: 1 }), position: FieldPosition },
  item: {
    calculationOrder: Type.Array(FormFieldRef),
    /** `changedFields`: fields whose position in the order changed. */
    meta: FormMeta,
  },
  names: { fields: ({ fields }) => fields },
  needs: modifyingForms,
  protection: 'content',
  carries: 'document',
  isBatchable: false,
  route: {
    methods: ['POST'],
    path: '/form/calculations/reorder',
    auditKind: 'form.reorderCalculations',
  },
})
