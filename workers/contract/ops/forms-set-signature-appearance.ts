// Sets the drawing of a signature field: the first page of a PDF.
import { Type } from 'typebox'
import { FormFieldRef } from '../form-field-ref.js'
import { updatedField } from '../form-results.js'
import { strict } from '../strict.js'
import { opContract } from './op-contract.js'

export const FormsSetSignatureAppearance = opContract({
  type: 'forms.setSignatureAppearance',
  summary: 'Draw the first page of a PDF into a signature field',
  op: { field: FormFieldRef, appearance: Type.Object({ pdf: Type.String({ minLength: 1 }) }, strict) },
  item: updatedField,
  names: { fields: ({ field }) => [field] },
  needs: { capabilities: ['doc.sign'] },
  protection: 'fill',
  carries: 'document',
  isBatchable: true,
  files: { member: 'appearance', drawn: ['pdf'] },
})
