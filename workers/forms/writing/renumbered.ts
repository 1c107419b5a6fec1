// Former object numbers of fields: a field merged with its widget leaves its number to the widget when the two are
// split, and gets it back when they are merged again. Clients that use a former number still find the field.

import type { Change } from '../../change/change.js'
import { entry, integerOf } from '../../objects/values.js'

/** Maximum number of renumberings followed for one field. */
const stepsMax = 16

const about = (number: number): string => `field ${number}`

/** Returns the current object number of the field. */
export function fieldNow(change: Change, number: number): number {
  let now = number
  for (let steps = 0; steps < stepsMax; steps++) {
    const next = storedNumber(change, now, 'Field')
    if (next === undefined) return now
    now = next
  }
  return now
}

/** Returns the field that was split from a widget, whether or not they are merged again. */
export const partedFrom = (change: Change, widget: number): number | undefined => storedNumber(change, widget, 'Parted')

export function rememberParted(change: Change, { widget, field }: { readonly widget: number; readonly field: number }) {
  note(change, widget, { Field: field, Parted: field })
  note(change, field, { Field: 0 })
}

export function rememberJoined(change: Change, { widget, field }: { readonly widget: number; readonly field: number }) {
  note(change, field, { Field: widget })
  note(change, widget, { Field: 0 })
}

function storedNumber(change: Change, number: number, key: 'Field' | 'Parted'): number | undefined {
  const found = change.undoData.of(about(number))
  const value = found && integerOf(entry(found, key))
  return value !== undefined && value > 0 ? value : undefined
}

function note(change: Change, number: number, values: Readonly<Record<string, number>>): void {
  const found = change.undoData.of(about(number))
  const isAllZero = Object.values(values).every((value) => value === 0)
  if (found === undefined && isAllZero) return
  const written =
    found === undefined ? change.undoData.put(about(number), change.pdf.newDictionary()) : change.touch(found)
  for (const [key, value] of Object.entries(values)) written.put(key, value)
}
