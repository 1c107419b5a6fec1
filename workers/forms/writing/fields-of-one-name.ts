// Writes the value of fields with one full name, which are one field with all their widgets (ISO 32000-2, 12.7.4.2): their
// buttons and options may differ.
import { JobRefusal } from '../../contract/job-refusal.js'
import type { FoundField } from '../reading/found-field.js'
import type { FormModel } from './form-model.js'
import { storedValue } from './stored-value.js'
import { isToggle, statesOf, type Toggle, writeState } from './toggle-states.js'
import { type FieldWrite, writeEntries } from './write-entries.js'

export type Write = (writing: FieldWrite) => void

/**
 * Writes the value in the first of the fields that has a button or an option for it, and makes the others follow. Throws
 * `InvalidArg`.
 */
export function writeAlike(model: FormModel, fields: readonly FoundField[], write: Write): void {
  const problems: JobRefusal[] = []
  const leader = fields.find((found) => {
    const problem = problemOf(writingOf(model, found), write)
    if (problem !== undefined) problems.push(problem)
    return problem === undefined
  })
  const [problem] = problems
  if (leader === undefined && problem !== undefined) throw problem
  for (const found of fields) {
    if (leader !== undefined && found !== leader) follow(writingOf(model, found), writingOf(model, leader), write)
  }
}

const writingOf = (model: FormModel, found: FoundField): FieldWrite => ({ model, found, field: model.read(found) })

/** Families whose fields of one name may have different buttons and options. */
const isChosen = ({ field }: FieldWrite): boolean =>
  isToggle(field) || field.family === 'combobox' || field.family === 'listbox'

/** Returns why the field does not take the value. Throws if no other field of the name could. */
function problemOf(writing: FieldWrite, write: Write): JobRefusal | undefined {
  try {
    write(writing)
    return undefined
  } catch (error) {
    if (isChosen(writing) && error instanceof JobRefusal && error.code === 'InvalidArg') return error
    throw error
  }
}

function follow(writing: FieldWrite, leader: FieldWrite, write: Write): void {
  const { field } = writing
  if (isToggle(field)) followToggle({ ...writing, field }, leader)
  else if (problemOf(writing, write) !== undefined)
    writeEntries(writing, { V: storedValueOf(leader), I: null, RV: null })
}

/** Turns on the buttons that have the export value of the one that is on; others show off, with the same `/V`. */
function followToggle(writing: FieldWrite<Toggle>, leader: FieldWrite): void {
  const { field, found } = writing
  const value = isToggle(leader.field) ? leader.field.widgets.find(({ checked }) => checked)?.exportValue : undefined
  const states = statesOf(found)
  const place = field.widgets.findIndex(({ exportValue }) => exportValue === value)
  const inUnison = field.family === 'checkbox' || field.radiosInUnison
  writeState(writing, value === undefined ? undefined : states[place], inUnison)
  const stored = storedValueOf(leader)
  const isTaken = stored !== null && 'name' in stored && states.includes(stored.name)
  if (value !== undefined && place < 0 && !isTaken) writeEntries(writing, { V: stored })
}

const storedValueOf = ({ model, found }: FieldWrite) => storedValue(model.reading, found.node.object, 'V')
