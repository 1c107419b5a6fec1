// Sets values of a file in the form, all of them before anything is calculated, and names those that it cannot set.
import type { Static } from 'typebox'
import type { Change } from '../../change/change.js'
import type { FormFieldValue } from '../../contract/field-value.js'
import type { FormField } from '../../contract/form-field.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { hasNul } from '../../contract/nul.js'
import type { SkippedField } from '../../contract/ops/import-results.js'
import { answerFilled, undoFilled } from '../../forms/writing/answer-filled.js'
import { hasValue } from '../../forms/writing/field-value.js'
import { FormFill } from '../../forms/writing/filling.js'
import { FormModel, formWith } from '../../forms/writing/form-model.js'
import { shown } from '../exchange-limits.js'
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
  for (const { name, value } of named.values()) {
    const [found] = model.named(name)
    if (found === undefined) continue
    const field = model.read(found)
    try {
      filling.set(found, wantedValue(field, value))
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

/** Returns the value in the form that the family of the field takes. Throws `InvalidArg`. */
function wantedValue(field: FormField, value: FileValue['value']): FormFieldValue {
  const texts = typeof value === 'string' ? [value] : Array.isArray(value) ? value : []
  if (texts.some(hasNul)) throw unusable('The value has U+0000')
  if (field.family === 'checkbox') return { checked: typeof value === 'boolean' ? value : isChecked(field, texts) }
  if (typeof value === 'boolean') throw unusable('Only a checkbox takes true or false')
  if (field.family === 'listbox') return { selectedValues: value === '' ? [] : [...texts] }
  if (texts.length > 1) throw unusable('The field takes one value')
  const [text = null] = texts
  if (field.family !== 'radio') return { value: text }
  return { value: text === offState || text === '' ? null : exportValueOf(field, text) }
}

type Toggles = Extract<FormField, { readonly family: 'checkbox' | 'radio' }>

/** A state may be stated by its name in the file, too. */
function exportValueOf({ widgets }: Toggles, text: string | null): string | null {
  if (text === null || widgets.some(({ exportValue }) => exportValue === text)) return text
  return widgets.find(({ onState }) => onState === text)?.exportValue ?? text
}

/** True for the state that a check of the box sets. Throws `InvalidArg` for any other that is not off. */
function isChecked(field: Extract<Toggles, { readonly family: 'checkbox' }>, [text]: readonly string[]): boolean {
  if (text === undefined || text === '' || text === offState) return false
  if (exportValueOf(field, text) === field.exportValue) return true
  throw unusable(`The state of the checkbox is ${JSON.stringify(shown(field.exportValue))} or "${offState}"`)
}

const unusable = (message: string): JobRefusal => new JobRefusal('InvalidArg', message)
