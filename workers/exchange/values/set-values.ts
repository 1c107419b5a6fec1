// Sets values of a file in the form, all of them before anything is calculated, and names those that it cannot set.
import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import type { Change } from '../../change/change.js'
import type { FormFieldValue } from '../../contract/field-value.js'
import type { FormField } from '../../contract/form-field.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { hasNul } from '../../contract/nul.js'
import type { SkippedField } from '../../contract/ops/import-results.js'
import type { FoundField } from '../../forms/reading/found-field.js'
import { answerFilled, undoFilled } from '../../forms/writing/answer-filled.js'
import { currentValue, hasValue } from '../../forms/writing/field-value.js'
import { FormFill } from '../../forms/writing/filling.js'
import { FormModel, formWith } from '../../forms/writing/form-model.js'
import { isToggle, type Toggle } from '../../forms/writing/toggle-states.js'
import { shown } from '../exchange-limits.js'
import { xmlText } from '../xml/write-xml.js'
import { offState } from './field-values.js'
import type { FileValue } from './file-value.js'

type Skipped = Static<typeof SkippedField>

/** Returns the changed fields and what was skipped, as members of an item. */
export function setValues(change: Change, values: readonly FileValue[]) {
  const skipped: Skipped[] = []
  const skip = (name: string, reason: Skipped['reason'], message: string) =>
    void skipped.push({ reason, message, field: shown(name) })
  const known = new FormModel(change)
  const named = new Map<string, FileValue>()
  for (const value of values) {
    const { name } = value
    const [field] = name === '' ? [] : known.named(name)
    if (field === undefined) skip(name, 'unknown-field', 'The form has no field of this name')
    else if (named.has(name)) skip(name, 'duplicate-field', 'The file has another value of this field')
    else if (!hasValue(known.read(field))) skip(name, 'no-value', 'Fields of this family have no value')
    else named.set(name, value)
  }
  const refs = [...named.keys()].flatMap((name) => known.named(name)[0]?.ref ?? [])
  const model = formWith(change, refs)
  const filling = new FormFill(model)
  for (const value of named.values()) {
    const { name } = value
    const [found] = model.named(name)
    if (found === undefined) continue
    try {
      setValue({ model, filling, found }, value)
    } catch (error) {
      if (!(error instanceof JobRefusal) || error.code !== 'InvalidArg') throw error
      skip(name, 'invalid-value', error.message)
    }
  }
  const filled = filling.finish()
  undoFilled(model, 'forms.reset', filled)
  const fields = filled.fields.map((found) => model.read(found))
  return { fields, ...answerFilled(model, [], filled), skipped, skippedCount: skipped.length }
}

interface Setting {
  readonly model: FormModel
  readonly filling: FormFill
  readonly found: FoundField
}

/** Sets a value unless the field has it already, however the file stores it. Throws `InvalidArg`. */
function setValue({ model, filling, found }: Setting, value: FileValue): void {
  const fields = model.named(found.node.name).map((one) => model.read(one))
  const [field = model.read(found)] = fields
  const state = isToggle(field) ? wantedState(field, value) : undefined
  if (state !== undefined) {
    const isOn = fields.every((one) => isToggle(one) && one.widgets.find(({ checked }) => checked)?.onState === state)
    if (isOn) filling.retain(found)
    else filling.turnOn(found, state)
    return
  }
  const wanted = wantedValue(field, value.value)
  const current = fields.map((one) => (value.isOfXml === true ? asInXml(currentValue(one)) : currentValue(one)))
  if (current.every((one) => isDeepStrictEqual(one, wanted))) filling.retain(found)
  else filling.set(found, wanted)
}

/** Returns a value as a file in XML contains it. */
function asInXml(value: FormFieldValue | undefined): FormFieldValue | undefined {
  if (value === undefined || 'checked' in value) return value
  if ('selectedValues' in value) return { selectedValues: value.selectedValues.map(xmlText) }
  return { value: xmlText(value.value ?? '') || null }
}

/** Returns the name of the state that a value means; undefined if it means an export value, or nothing. */
function wantedState({ widgets }: Toggle, { value, isState = false }: FileValue): string | undefined {
  if (typeof value !== 'string' || !widgets.some(({ onState }) => onState === value)) return undefined
  // Only an FDF tells states from texts. In other files an export value takes precedence.
  return isState || !widgets.some(({ exportValue }) => exportValue === value) ? value : undefined
}

/** Returns the value in the form that the family of the field takes. Throws `InvalidArg`. */
function wantedValue(field: FormField, value: FileValue['value']): FormFieldValue {
  if (typeof value === 'object' && value !== null && 'problem' in value) throw unusable(value.problem)
  const texts = typeof value === 'string' ? [value] : Array.isArray(value) ? value : []
  if (texts.some(hasNul)) throw unusable('The value has U+0000')
  if (field.family === 'checkbox') return { checked: typeof value === 'boolean' ? value : isChecked(field, texts) }
  if (typeof value === 'boolean') throw unusable('Only a checkbox takes true or false')
  if (field.family === 'listbox') return { selectedValues: value === '' ? [] : [...texts] }
  if (texts.length > 1) throw unusable('The field takes one value')
  const [text = ''] = texts
  return { value: text === '' || (field.family === 'radio' && text === offState) ? null : text }
}

/** True for the export value of the box. Throws `InvalidArg` for any other value that is not off. */
function isChecked(field: Extract<Toggle, { readonly family: 'checkbox' }>, [text]: readonly string[]): boolean {
  if (text === undefined || text === '' || text === offState) return false
  if (text === field.exportValue) return true
  throw unusable(`The state of the checkbox is ${JSON.stringify(shown(field.exportValue))} or "${offState}"`)
}

const unusable = (message: string): JobRefusal => new JobRefusal('InvalidArg', message)
