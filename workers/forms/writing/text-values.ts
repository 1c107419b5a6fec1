// Writes values that are texts, and values that are selected from options.
import { closest, listed } from '../../../core/value/suggestions.js'
import type { FormField } from '../../contract/form-field.js'
import type { JobRefusal } from '../../contract/job-refusal.js'
import { valueProblem } from '../scripts/field-scripts.js'
import { type FieldWrite, inheritsValue, refusal, storedDefault, writeEntries } from './write-entries.js'

interface TextRules {
  readonly isOneLine: boolean
  /** True if the text is one of the options of the field. */
  readonly isOption?: boolean
}

/** Checks and writes a text. Throws `InvalidArg`. */
export function writeText(writing: FieldWrite, text: string, { isOneLine, isOption = false }: TextRules): void {
  const { model, found, field } = writing
  const isCurrent = 'value' in field && field.value === text
  // Values already in the file are accepted back as they were read.
  if (isOneLine && /[\r\n]/.test(text) && !isCurrent && !isOption) throw refusal(field, 'takes one line', 'value')
  const problem = valueProblem(model.reading, found.node.object, text)
  if (problem !== undefined) throw refusal(field, problem)
  // If an ancestor has a value, a field without one would inherit it, so an empty value is written.
  writeEntries(writing, { V: text === '' && !inheritsValue(writing) ? null : { text }, RV: null, I: null })
}

/** Resets the text. `places`: positions of the default value among the options. */
export function resetText(writing: FieldWrite, places: readonly number[] = []): void {
  const value = storedDefault(writing)
  writeEntries(writing, {
    V: value === null && inheritsValue(writing) ? { text: '' } : value,
    I: places.length === 0 ? null : { numbers: places },
    RV: null,
  })
}

type Choice = Extract<FormField, { readonly options: unknown }>

export function noOption(field: Choice, value: string): JobRefusal {
  const values = field.options.map((option) => option.value)
  // A matching label is not the stored value, so the hint names the value.
  const shown = field.options.find(({ label }) => label === value)?.value ?? closest(value, values)
  const hint = shown === undefined ? `; it has ${listed(values)}` : `; did you mean "${shown}"?`
  return refusal(field, `has no option "${value.slice(0, 200)}"${values.length === 0 ? '' : hint}`)
}
