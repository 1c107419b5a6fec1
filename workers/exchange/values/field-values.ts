// Values of a form by the full names of its fields, in the order of the form.
import type { FormField } from '../../contract/form-field.js'
import type { FormValue, FormValues } from '../../contract/form-values.js'
import type { Reading } from '../../document/reading.js'
import { readForm } from '../../forms/reading/snapshot.js'

/** Value of a field as files of values contain it: text, the name of a state, or several texts. */
export interface FieldEntry {
  readonly name: string
  readonly value: string | readonly string[]
  /** True if the value is the name of a state: that of a checkbox or a radio group. */
  readonly isState: boolean
}

/** Name of the state in which no button is on. */
export const offState = 'Off'

/** Returns the fields that have values; of several with the same name the first, whose value they share. */
function fieldsOf(reading: Reading): readonly FormField[] {
  const byName = new Map<string, FormField>()
  for (const field of readForm(reading).fields) {
    if (field.name !== '' && !byName.has(field.name)) byName.set(field.name, field)
  }
  return [...byName.values()]
}

export const formValues = (reading: Reading): FormValues => ({
  values: Object.fromEntries(
    fieldsOf(reading).flatMap((field) => {
      const value = fieldValueOf(field)
      return value === undefined ? [] : [[field.name, value] as const]
    }),
  ),
})

export const fieldEntries = (reading: Reading): readonly FieldEntry[] =>
  fieldsOf(reading).flatMap((field) => entryOf(field) ?? [])

function entryOf(field: FormField): FieldEntry | undefined {
  const { name } = field
  if (field.family === 'checkbox') return { name, value: field.checked ? field.exportValue : offState, isState: true }
  if (field.family === 'radio') return { name, value: field.value === '' ? offState : field.value, isState: true }
  if (field.family === 'listbox') return { name, value: field.selectedValues, isState: false }
  return field.family === 'text' || field.family === 'combobox'
    ? { name, value: field.value, isState: false }
    : undefined
}

/** Returns undefined for a field that has no value: a push button or a signature. */
function fieldValueOf(field: FormField): FormValue | undefined {
  if (field.family === 'checkbox') return field.checked
  if (field.family === 'listbox') return field.selectedValues
  if (field.family === 'radio') return field.value === '' ? null : field.value
  return field.family === 'text' || field.family === 'combobox' ? field.value : undefined
}
