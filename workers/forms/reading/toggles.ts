// Reads the widgets of checkboxes and radio groups: the state in which each is checked, and its export value.
import type { PDFObject } from 'mupdf'
import type { FormWidget, ToggleWidget } from '../../contract/form-widget.js'
import type { Reading } from '../../document/reading.js'
import { shownNames } from '../../engine/names.js'
import { inherited, type Lineage } from '../../fields/inheritance.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { entriesOf, entry, isArray, isDictionary, isStream, nameOf, textOf } from '../../objects/values.js'
import { scalarOf } from './field-values.js'

/** On state of widgets without a stated one. */
const usualState = 'Yes'

export interface FieldWidget {
  readonly object: PDFObject
  readonly place: FormWidget
}

interface Toggles {
  readonly widgets: readonly FieldWidget[]
  /** Value of the field, /V. */
  readonly value: PDFObject | undefined
  readonly options: PDFObject | undefined
}

/**
 * Returns the widgets. With /Opt, states are only indexes of widgets, and /Opt contains the export values (ISO
 * 32000-2, 12.7.5.2.4).
 */
export function togglesOf(reading: Reading, { widgets, value, options }: Toggles): ToggleWidget[] {
  const states = widgets.map(({ object }) => onStateOf(object, value))
  const shown = shownNames(states)
  const toggles = widgets.map(({ object, place }, index) => {
    const state = states[index] ?? usualState
    const onState = reading.budget.takeText(shown.get(state) ?? state)
    const option = options !== undefined && isArray(options) ? reading.text(options, index) : undefined
    return { place, isShown: nameOf(entry(object, 'AS')) === state, state, onState, exportValue: option ?? onState }
  })
  const named = nameOrTextOf(value)
  const text = value === undefined ? undefined : scalarOf(reading, value)
  // Some writers store the export value instead of the state.
  const isState = toggles.some(({ state }) => state === named)
  return toggles.map(({ place, isShown, state, onState, exportValue }) => {
    // The value of the field takes precedence; the visible state counts only without one.
    const checked = text === undefined ? isShown : isState ? state === named : text === exportValue
    return { ...place, onState, exportValue, checked }
  })
}

/** Returns the name, as stored in the file, of the state that shows the widget checked. */
export function onStateOf(widget: PDFObject, value: PDFObject | undefined): string {
  return stateIn(widget) ?? stateOr(nameOf(entry(widget, 'AS'))) ?? stateOr(nameOrTextOf(value)) ?? usualState
}

const nameOrTextOf = (value: PDFObject | undefined): string | undefined => value && (nameOf(value) ?? textOf(value))

/** Returns the state of its appearances other than `Off`. */
export function stateIn(widget: PDFObject): string | undefined {
  for (const kind of ['N', 'D']) {
    const states = entry(widget, 'AP', kind)
    if (!isDictionary(states) || isStream(states)) continue
    const names = entriesOf(states, readingLimits.appearanceStatesMax).map(([name]) => name)
    const on = names.find((name) => name !== 'Off')
    if (on !== undefined) return on
  }
  return undefined
}

const stateOr = (state: string | undefined): string | undefined => (state === 'Off' || state === '' ? undefined : state)

export const togglesIn = ({ reading, lineage, widgets }: ToggleSource): ToggleWidget[] =>
  togglesOf(reading, { widgets, value: inherited(lineage, 'V'), options: inherited(lineage, 'Opt') })

interface ToggleSource {
  readonly reading: Reading
  readonly lineage: Lineage
  readonly widgets: readonly FieldWidget[]
}

export const isOn = (value: string): boolean => value !== '' && value !== 'Off'
