// What a field holds, and putting something else into it, family by family (ISO 32000-2, 12.7.5).
import type { PDFObject } from 'mupdf'
import { closest, listed } from '../../../core/value/suggestions.js'
import type { FormFieldValue } from '../../contract/field-value.js'
import type { FormField } from '../../contract/form-field.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { inherited } from '../../fields/inheritance.js'
import { entry, isMissing } from '../../objects/values.js'
import type { FoundField } from '../reading/fields.js'
import { onStateOf } from '../reading/toggles.js'
import { valueProblem } from '../scripts/field-scripts.js'
import { drawMissingStates } from './draw-widget.js'
import { type FormModel, touchField } from './form-model.js'
import { putStored, type StoredValue, storedValue } from './stored-value.js'

/** Undefined = the family holds none. */
export function currentValue(field: FormField): FormFieldValue | undefined {
  switch (field.family) {
    case 'text':
    case 'combobox':
    case 'radio':
      return { value: field.value === '' ? null : field.value }
    case 'checkbox':
      return { checked: field.checked }
    case 'listbox':
      return { selectedValues: field.selectedValues }
    case 'pushbutton':
    case 'signature':
    case 'unknown':
      return undefined
    default:
      return field satisfies never
  }
}

/** To its default value, or to nothing (ISO 32000-2, 12.7.6.3). */
export function writeDefault(writing: Writing): void {
  const { model, found, field } = writing
  const source = found.node.lineage.find((member) => !isMissing(entry(member, 'DV')))
  const value = source === undefined ? null : storedValue(model.reading, source, 'DV')
  if (field.family === 'checkbox' || field.family === 'radio') {
    const state = value !== null && 'name' in value ? value.name : undefined
    writeState(
      writing,
      statesOf(found).find((one) => one === state),
      true,
    )
    return
  }
  const chosen = new Set(value === null ? [] : 'texts' in value ? value.texts : 'text' in value ? [value.text] : [])
  const places =
    field.family === 'listbox'
      ? field.options.flatMap((option, place) => (chosen.has(option.value) ? [place] : []))
      : []
  const isInherited = inherited(found.node.lineage.slice(1), 'V') !== undefined
  write(writing, {
    V: value === null && isInherited ? { text: '' } : value,
    I: places.length === 0 ? null : { numbers: places },
    RV: null,
  })
}

interface Writing {
  readonly model: FormModel
  readonly found: FoundField
  readonly field: FormField
}

/** Checks it and writes it; what shows is drawn later. Throws `InvalidArg`. */
export function writeValue(writing: Writing, value: FormFieldValue): void {
  const { field } = writing
  if (field.family === 'checkbox' && 'checked' in value) writeChecked(writing, value.checked)
  else if (field.family === 'listbox' && 'selectedValues' in value) writeSelected(writing, value.selectedValues)
  else if (field.family === 'radio' && 'value' in value) writeRadio(writing, value.value)
  else if (field.family === 'text' && 'value' in value) writeText(writing, value.value ?? '', field.maxLength)
  else if (field.family === 'combobox' && 'value' in value) {
    if (!field.edit) mustBeOption(writing, value.value ?? '')
    writeText(writing, value.value ?? '', null)
  } else throw refusal(field, wanted[field.family])
}

const noValue = 'takes no value'
const wanted: Readonly<Record<FormField['family'], string>> = {
  text: 'takes { value: string or null }',
  combobox: 'takes { value: string or null }',
  radio: 'takes { value: string or null }',
  checkbox: 'takes { checked: boolean }',
  listbox: 'takes { selectedValues: string[] }',
  pushbutton: noValue,
  signature: noValue,
  unknown: noValue,
}

function refusal(field: FormField, what: string, member?: string): JobRefusal {
  return new JobRefusal('InvalidArg', `The ${field.family} field "${field.name.slice(0, 200)}" ${what}`, {
    field: field.ref,
    ...(member !== undefined && { member }),
  })
}

function writeText(writing: Writing, text: string, maxLength: number | null): void {
  const { model, found, field } = writing
  if (maxLength !== null && Array.from(text).length > maxLength) {
    throw refusal(field, `takes at most ${maxLength} characters`)
  }
  const isOneLine = field.family !== 'text' || !field.multiline
  const isKnown = 'value' in field && field.value === text
  const isOption = field.family === 'combobox' && field.options.some(({ value }) => value === text)
  // Values already in the file are accepted back as they were read.
  if (isOneLine && /[\r\n]/.test(text) && !isKnown && !isOption) throw refusal(field, 'takes one line', 'value')
  const problem = valueProblem(model.reading, found.node.object, text)
  if (problem !== undefined) throw refusal(field, problem)
  // Where a field above has a value, none would mean that one.
  const isInherited = inherited(found.node.lineage.slice(1), 'V') !== undefined
  write(writing, { V: text === '' && !isInherited ? null : { text }, RV: null, I: null })
}

function writeSelected(writing: Writing, selected: readonly string[]): void {
  const { field, found } = writing
  if (field.family !== 'listbox') return
  const chosen = new Set(selected)
  const values = [...chosen]
  if (values.length > 1 && !field.multiSelect) throw refusal(field, 'takes one choice')
  const known = new Set(field.options.map(({ value }) => value))
  for (const value of values) if (!known.has(value)) throw noOption(field, value)
  const places = field.options.flatMap(({ value }, place) => (chosen.has(value) ? [place] : []))
  const [first] = values
  const isInherited = inherited(found.node.lineage.slice(1), 'V') !== undefined
  const none: StoredValue = isInherited ? { texts: [] } : null
  const one: StoredValue = first === undefined ? none : { text: first }
  write(writing, {
    V: values.length > 1 ? { texts: values } : one,
    I: places.length === 0 ? null : { numbers: places },
    RV: null,
  })
}

function mustBeOption({ field }: Writing, value: string): void {
  if (field.family !== 'combobox' || value === '') return
  if (!field.options.some((option) => option.value === value)) throw noOption(field, value)
}

type Choice = Extract<FormField, { readonly options: unknown }>

function noOption(field: Choice, value: string): JobRefusal {
  const values = field.options.map((option) => option.value)
  // What a reader shows is not what is stored.
  const shown = field.options.find(({ label }) => label === value)?.value ?? closest(value, values)
  const hint = shown === undefined ? `; it has ${listed(values)}` : `; did you mean "${shown}"?`
  return refusal(field, `has no option "${value.slice(0, 200)}"${values.length === 0 ? '' : hint}`)
}

function writeChecked(writing: Writing, checked: boolean): void {
  const { field, found } = writing
  if (field.family !== 'checkbox') return
  const place = Math.max(
    0,
    field.widgets.findIndex((widget) => widget.checked),
  )
  writeState(writing, checked ? (statesOf(found)[place] ?? field.exportValue) : undefined, true)
}

function writeRadio(writing: Writing, value: string | null): void {
  const { field, found } = writing
  if (field.family !== 'radio') return
  if (value === null) {
    writeState(writing, undefined, true)
    return
  }
  const place = field.widgets.findIndex(({ exportValue }) => exportValue === value)
  if (place < 0) throw refusal(field, `has no button for "${value.slice(0, 200)}"`)
  writeState(writing, statesOf(found)[place], field.radiosInUnison)
}

/** Returns state names as stored in the file, in the order of the widgets. */
const statesOf = ({ node, widgets }: FoundField): readonly string[] =>
  widgets.map(({ object }) => onStateOf(object, inherited(node.lineage, 'V')))

/** /V names the state of the widgets that are on; in unison, all that have it. */
function writeState(writing: Writing, state: string | undefined, inUnison: boolean): void {
  const { model, found, field } = writing
  if (field.family !== 'checkbox' && field.family !== 'radio') return
  const states = statesOf(found)
  write(writing, { V: { name: state ?? 'Off' } })
  let isTaken = false
  found.widgets.forEach(({ object: widget }, index) => {
    const onState = states[index]
    if (onState === undefined) return
    const isOn = onState === state && (inUnison || !isTaken)
    isTaken ||= isOn
    drawMissingStates({ model, found, field, widget }, onState)
    model.change.touch(widget)
    widget.put('AS', model.change.pdf.newName(isOn ? onState : 'Off'))
  })
}

function write({ model, found }: Writing, entries: Readonly<Record<string, StoredValue>>): void {
  const object: PDFObject = touchField(model, found)
  for (const [key, value] of Object.entries(entries)) putStored(model.change, object, key, value)
}
