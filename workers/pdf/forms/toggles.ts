// The widgets of checkboxes and radio groups: which state shows each one checked, and what it then stands for.
import type { PDFObject } from 'mupdf'
import type { FormWidget, ToggleWidget } from '../../shapes/form-widget.js'
import type { Reading } from '../reading.js'
import { readingLimits } from '../reading-limits.js'
import { entriesOf, entry, isArray, isDictionary, isStream } from '../values.js'

/** What widgets that say nothing are checked with. */
const usualState = 'Yes'

export interface FieldWidget {
  readonly object: PDFObject
  readonly place: FormWidget
}

interface Toggles {
  readonly widgets: readonly FieldWidget[]
  /** /V of the field, where it is a name or a text. */
  readonly value: string | undefined
  readonly options: PDFObject | undefined
}

/** ISO 32000-2, 12.7.5.2.4: with /Opt the states only count the widgets, and /Opt says what they stand for. */
export function togglesOf(reading: Reading, { widgets, value, options }: Toggles): ToggleWidget[] {
  const toggles = widgets.map(({ object, place }, index) => {
    const state = reading.name(object, 'AS')
    const onState = reading.budget.takeText(onStateOf(object) ?? stateOr(state) ?? stateOr(value) ?? usualState)
    const option = options !== undefined && isArray(options) ? reading.text(options, index) : undefined
    return { place, state, onState, exportValue: option ?? onState }
  })
  // Writers that know of no states store what the widget stands for instead.
  const isState = toggles.some(({ onState }) => onState === value)
  return toggles.map(({ place, state, onState, exportValue }) => {
    // What the field says holds; what is shown only where the field says nothing.
    const checked = value === undefined ? state === onState : value === (isState ? onState : exportValue)
    return { ...place, onState, exportValue, checked }
  })
}

/** The state of its appearances that is not the one for "off". */
function onStateOf(widget: PDFObject): string | undefined {
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
