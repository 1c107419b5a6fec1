// Writes states of checkboxes and radio buttons along with the value of their field.
import type { FormField } from '../../contract/form-field.js'
import { inherited } from '../../fields/inheritance.js'
import { drawMissingStates } from '../drawing/draw-toggle.js'
import type { FoundField } from '../reading/found-field.js'
import { onStateOf } from '../reading/toggles.js'
import { type FieldWrite, refusal, storedDefault, writeEntries } from './write-entries.js'

export type Toggle = Extract<FormField, { readonly family: 'checkbox' | 'radio' }>

/** Returns state names as stored in the file, in the order of the widgets. */
export const statesOf = ({ node, widgets }: FoundField): readonly string[] =>
  widgets.map(({ object }) => onStateOf(object, inherited(node.lineage, 'V')))

export const isToggle = (field: FormField): field is Toggle => field.family === 'checkbox' || field.family === 'radio'

/** Writes the state with this name. Throws `InvalidArg` if no widget has it. */
export function turnOn(writing: FieldWrite<Toggle>, onState: string): void {
  const { field, found } = writing
  const place = field.widgets.findIndex((widget) => widget.onState === onState)
  if (place < 0) throw refusal(field, `has no button with the state "${onState.slice(0, 200)}"`)
  writeState(writing, statesOf(found)[place], field.family === 'checkbox' || field.radiosInUnison)
}

/** Writes /V and the states: /V names the state of the widgets that are on; in unison, all with that state are on. */
export function writeState(writing: FieldWrite<Toggle>, state: string | undefined, inUnison: boolean): void {
  const { model, found, field } = writing
  const states = statesOf(found)
  writeEntries(writing, { V: { name: state ?? 'Off' } })
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

export function resetState(writing: FieldWrite<Toggle>): void {
  const value = storedDefault(writing)
  const state = value !== null && 'name' in value ? value.name : undefined
  writeState(
    writing,
    statesOf(writing.found).find((one) => one === state),
    true,
  )
}
