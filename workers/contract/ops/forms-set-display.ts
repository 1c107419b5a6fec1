// Shows or hides the widgets of a field, on the screen and in print.
import { type Static, Type } from 'typebox'
import { FormFieldRef } from '../form-field-ref.js'
import { updatedField } from '../form-results.js'
import { Words } from '../words.js'
import { filling } from './needs.js'
import { opContract } from './op-contract.js'

export const displays = ['visible', 'hidden', 'noPrint', 'noView'] as const
const Display = Words(displays)
export type Display = Static<typeof Display>

export const FormsSetDisplay = opContract({
  type: 'forms.setDisplay',
  summary: 'Show or hide the widgets of a field, on the screen and in print',
  op: { field: FormFieldRef, display: Display, expect: Type.Optional(Display) },
  item: updatedField,
  names: { fields: ({ field }) => [field] },
  needs: filling,
  protection: 'content',
  carries: 'document',
  isBatchable: true,
})
