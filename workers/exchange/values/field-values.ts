// Values of a form by the full names of its fields, in the order of the form.
import type { FormField } from '../../contract/form-field.js'
import type { FormValue, FormValues } from '../../contract/form-values.js'
import type { Reading } from '../../document/reading.js'
import { readForm } from '../../forms/reading/snapshot.js'

/** Value of a field as files of values contain it: text, the name of a state, or several texts. */
export interface FieldEntry {
  readonly name: string
  readonly value: string | readonly string[]
  /** Name of the state of a checkbox or a radio group. */
  readonly state?: string
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
  if (field.family === 'checkbox') {
    const { checked, exportValue, widgets } = field
    if (!checked) return { name, value: offState, state: offState }
    const on = widgets.find((widget) => widget.checked) ?? widgets[0]
    return { name, value: exportValue, state: on?.onState ?? exportValue }
  }
  if (field.family === 'radio') {
    const value = radioValueOf(field)
    if (value === null) return { name, value: offState, state: offState }
    return { name, value, state: field.widgets.find(({ checked }) => checked)?.onState ?? value }
  }
  if (field.family === 'listbox') return { name, value: field.selectedValues }
  return field.family === 'text' || field.family === 'combobox' ? { name, value: field.value } : undefined
}

type Radio = Extract<FormField, { readonly family: 'radio' }>

/**
 * Returns the export value of the button that is on, or the name of its state if only that distinguishes the button from
 * others; null if none is on.
 */
function radioValueOf({ value, widgets }: Radio): string | null {
  if (value === '') return null
  const on = widgets.find(({ checked }) => checked)
  if (on === undefined) return value
  const isShared = widgets.some(({ exportValue, onState }) => exportValue === value && onState !== on.onState)
  const isFree = widgets.every(({ exportValue }) => exportValue !== on.onState)
  return isShared && isFree ? on.onState : value
}

/** Returns undefined for a field that has no value: a push button or a signature. */
function fieldValueOf(field: FormField): FormValue | undefined {
  if (field.family === 'checkbox') return field.checked
  if (field.family === 'listbox') return field.selectedValues
  if (field.family === 'radio') return radioValueOf(field)
  return field.family === 'text' || field.family === 'combobox' ? field.value : undefined
}
