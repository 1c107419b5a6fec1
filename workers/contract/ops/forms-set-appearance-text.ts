// Sets the text that a field shows instead of its value, until the value is set again.
import { Type } from 'typebox'
import { FormFieldRef } from '../form-field-ref.js'
import { updatedField } from '../form-results.js'
import { filling } from './needs.js'
import { opContract } from './op-contract.js'

export const FormsSetAppearanceText = opContract({
  type: 'forms.setAppearanceText',
  summary: 'Set the text that a field shows instead of its value, until the value is set again',
  op: { field: FormFieldRef, text: Type.String() },
  item: updatedField,
  names: { fields: ({ field }) => [field] },
  needs: filling,
  // A signed document must not show another value than it has; the analysis refuses that as well.
  protection: 'content',
  carries: 'document',
  isBatchable: true,
})
