// Schema of a form field's value in writes.
import { type Static, Type } from 'typebox'
import { Nullable } from './nullable.js'
import { strict } from './strict.js'

/**
 * Value of a field. For text and combo boxes: `value`, where null clears; for radio groups: the export value, where
 * null = all off.
 */
export const FormFieldValue = Type.Union([
  Type.Object({ value: Nullable(Type.String()) }, strict),
  Type.Object({ checked: Type.Boolean() }, strict),
  Type.Object({ selectedValues: Type.Array(Type.String()) }, strict),
])
export type FormFieldValue = Static<typeof FormFieldValue>
