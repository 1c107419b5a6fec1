// Numbers that fields had before: a field that was its own widget leaves its number to the widget when the two are parted,
// and gets it back when they are joined again. Whoever knows the field by a former number still finds it.
import { entry, integerOf } from '../../pdf/values.js'
import type { Change } from '../change.js'

/** Times one field is followed from number to number. */
const stepsMax = 16

const about = (number: number): string => `field ${number}`

/** The number the field has now. */
export function fieldNow(change: Change, number: number): number {
  let now = number
  for (let steps = 0; steps < stepsMax; steps++) {
    const next = noted(change, now, 'Field')
    if (next === undefined) return now
    now = next
  }
  return now
}

/** The field that was parted from a widget, whether or not they are joined again. */
export const partedFrom = (change: Change, widget: number): number | undefined => noted(change, widget, 'Parted')

export function rememberParted(change: Change, { widget, field }: { readonly widget: number; readonly field: number }) {
  note(change, widget, { Field: field, Parted: field })
  note(change, field, { Field: 0 })
}

export function rememberJoined(change: Change, { widget, field }: { readonly widget: number; readonly field: number }) {
  note(change, field, { Field: widget })
  note(change, widget, { Field: 0 })
}

function noted(change: Change, number: number, key: 'Field' | 'Parted'): number | undefined {
  const found = change.notes.of(about(number))
  const value = found && integerOf(entry(found, key))
  return value !== undefined && value > 0 ? value : undefined
}

function note(change: Change, number: number, values: Readonly<Record<string, number>>): void {
  const found = change.notes.of(about(number))
  const isAllZero = Object.values(values).every((value) => value === 0)
  if (found === undefined && isAllZero) return
  const written =
    found === undefined ? change.notes.put(about(number), change.pdf.newDictionary()) : change.touch(found)
  for (const [key, value] of Object.entries(values)) written.put(key, value)
}
