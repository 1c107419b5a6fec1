// Values of fields, as their families read and write them (ISO 32000-2, 12.7.5).
import type { FormFieldValue } from '../../contract/field-value.js'
import type { FormField } from '../../contract/form-field.js'
import { familyOf } from '../load-families.js'
import { type FieldWrite, refusal } from './write-entries.js'

/** Returns undefined if fields of the family have no value. */
export const currentValue = (field: FormField): FormFieldValue | undefined =>
  familyOf(field.family).value?.current(field)

export const hasValue = ({ family }: FormField): boolean => familyOf(family).value !== undefined

/** Writes the default value, or removes the value (ISO 32000-2, 12.7.6.3). */
export const writeDefault = (writing: FieldWrite): void => familyOf(writing.field.family).value?.reset(writing)

/** Checks and writes the value; widgets are drawn later. Throws `InvalidArg`. */
export function writeValue(writing: FieldWrite, value: FormFieldValue): void {
  const work = familyOf(writing.field.family).value
  if (work?.write(writing, value) !== true) throw refusal(writing.field, work?.accepted ?? 'takes no value')
}
