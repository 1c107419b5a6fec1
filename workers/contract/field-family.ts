// The kinds of form fields.
import type { Static } from 'typebox'
import { Words } from './words.js'

export const FieldFamily = Words([
  'text',
  'checkbox',
  'radio',
  'combobox',
  'listbox',
  'pushbutton',
  'signature',
  'unknown',
])
export type FieldFamily = Static<typeof FieldFamily>
