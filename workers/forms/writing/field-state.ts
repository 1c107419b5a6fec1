// A field's value and the appearances of its widgets as plain JSON, recorded before and after a write, so that an
// undo can restore the exact state and detect changes since.
import { isDeepStrictEqual } from 'node:util'
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import type { FormField } from '../../contract/form-field.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import { fieldFamilyOf } from '../../fields/field-kind.js'
import { isNamed } from '../../fields/field-names.js'
import { inherited } from '../../fields/inheritance.js'
import { entry, isDictionary, nameOf, objectNumberOf } from '../../objects/values.js'
import { drawMissingStates } from '../drawing/draw-toggle.js'
import type { FoundField } from '../reading/found-field.js'
import { onStateOf, stateIn } from '../reading/toggles.js'
import { drawWidget, showsByText } from './draw-widget.js'
import type { FormModel } from './form-model.js'
import { noteDrawing, putFormerDrawing } from './former-drawing.js'
import { appearanceName, hasOwnStates, restoreAppearance } from './put-appearance.js'
import { putStored, type StoredValue, storedValue } from './stored-value.js'
import { touchField } from './touch-field.js'
import { widgetsWithValue } from './write-entries.js'

interface WidgetState {
  readonly number: number
  /** Value of /AS. */
  readonly state: string | null
  /** Name of the on state of a check box or radio button. */
  readonly onState?: string
  readonly appearance: ReturnType<typeof appearanceName>
  /** True if this program drew the state appearances. */
  readonly ownStates?: boolean
  /** Value of the widget besides that of its field. */
  readonly ownValue?: StoredValue
  /** True if the field lists the widget, and the widget does not name the field. */
  readonly isOrphan?: boolean
}

export interface FieldState {
  readonly value: StoredValue
  readonly richValue: StoredValue
  readonly places: StoredValue
  readonly widgets: readonly WidgetState[]
}

/** Effect of one write on one field. */
export interface FieldChange {
  readonly field: FormFieldRef
  readonly before: FieldState
  readonly after: FieldState
}

export function stateOf(model: FormModel, found: FoundField): FieldState {
  const { reading } = model
  const { node, widgets } = found
  const withValue = new Set(widgetsWithValue(found).map((widget) => objectNumberOf(widget)))
  const isOfToggles = ['checkbox', 'radio'].includes(fieldFamilyOf(node.lineage))
  return {
    value: storedValue(reading, node.object, 'V'),
    richValue: storedValue(reading, node.object, 'RV'),
    places: storedValue(reading, node.object, 'I'),
    widgets: widgets.map(({ object }) => {
      const onState = isOfToggles ? stateIn(object) : undefined
      return {
        number: objectNumberOf(object) ?? 0,
        state: nameOf(entry(object, 'AS')) ?? null,
        ...(onState !== undefined && { onState }),
        appearance: appearanceName(object),
        ...(hasOwnStates(object) && { ownStates: true }),
        ...(withValue.has(objectNumberOf(object)) && { ownValue: storedValue(reading, object, 'V') }),
        ...(isOrphan(object, node.object) && { isOrphan: true }),
      }
    }),
  }
}

/** Compares value and visible state. */
export const isSameValue = (one: FieldState, other: FieldState): boolean =>
  isDeepStrictEqual([one.value, one.places, states(one)], [other.value, other.places, states(other)])

const states = ({ widgets }: FieldState) => widgets.map(({ number, state }) => [number, state])

/**
 * Compares the parts that matter for an undo: the value and the visible state. Widgets added or removed since do not
 * count, nor do the names of states among the other buttons of a group.
 */
export function isAsLeft(now: FieldState, after: FieldState): boolean {
  const numbers = new Set(now.widgets.map(({ number }) => number))
  const common = after.widgets.flatMap(({ number }) => (numbers.has(number) ? [number] : []))
  return isDeepStrictEqual(visibleState(now, common), visibleState(after, common))
}

function visibleState({ value, places, widgets }: FieldState, numbers: readonly number[]) {
  const shownBy = new Map(widgets.map((widget) => [widget.number, widget]))
  const showing = numbers.map((number) => {
    const { state, onState } = shownBy.get(number) ?? {}
    return [number, onState !== undefined && state === onState ? 'on' : state]
  })
  const name = stateNameIn(value)
  const chosen = widgets.filter(({ onState }) => onState !== undefined && onState === name)
  const isNone = value === null || name === 'Off'
  if (chosen.length === 0 && !isNone) return [value, places, showing]
  return [chosen.flatMap(({ number }) => (numbers.includes(number) ? [number] : [])), places, showing]
}

const stateNameIn = (value: StoredValue): string | undefined =>
  value !== null && 'name' in value ? value.name : undefined

/** Restores a state: appearances of the file are restored unchanged, those drawn by this program are redrawn. */
export function putState(model: FormModel, found: FoundField, state: FieldState): void {
  const { change } = model
  const object = touchField(model, found)
  putStored(change, object, 'V', inNames(state.value, state, found))
  putStored(change, object, 'RV', state.richValue)
  putStored(change, object, 'I', state.places)
  const field = model.read(found)
  drawOthers(model, found, field, state)
  const isToggle = field.family === 'checkbox' || field.family === 'radio'
  const names = statesNow(found)
  for (const { number, state: was, onState: wasOn, appearance, ownStates = false, ownValue } of state.widgets) {
    const shownState = was !== null && was === wasOn ? (names.get(number) ?? was) : was
    const widget = found.widgets.find(({ place }) => place.objectNumber === number)?.object
    if (widget === undefined) {
      noteAway(change, state.value, { number, state: was, appearance })
      continue
    }
    change.touch(widget)
    if (ownValue !== undefined) putStored(change, widget, 'V', ownValue)
    const onState = onStateOf(widget, inherited(found.node.lineage, 'V'))
    if (shownState === null) widget.delete('AS')
    else widget.put('AS', change.pdf.newName(shownState))
    if (restoreAppearance(change, widget, { appearance, ownStates })) continue
    if (isToggle || appearance === 'states') drawMissingStates({ model, found, field, widget }, onState)
    else drawWidget({ model, found, field, widget })
  }
  removeParents(model, found, state)
}

/** True if the widget is not a field itself and names none. */
const isOrphan = (widget: PDFObject, field: PDFObject): boolean =>
  !isNamed(widget) && objectNumberOf(widget) !== objectNumberOf(field) && !isDictionary(entry(widget, 'Parent'))

/** Removes the name of the field from widgets that had none. */
function removeParents({ change }: FormModel, { node, widgets }: FoundField, state: FieldState): void {
  const orphans = new Set(state.widgets.flatMap(({ number, isOrphan }) => (isOrphan === true ? [number] : [])))
  for (const { object: widget, place } of widgets) {
    if (!orphans.has(place.objectNumber) || isNamed(widget)) continue
    if (objectNumberOf(entry(widget, 'Parent')) !== objectNumberOf(node.object)) continue
    change.touch(widget).delete('Parent')
    change.cache.evict('form')
  }
}

/**
 * Records the appearance for a removed widget, which shows it once restored. Widgets that are redrawn, or show a state,
 * do not need it.
 */
function noteAway(change: Change, value: StoredValue, { number, state, appearance }: WidgetState): void {
  if (appearance === 'own' || appearance === 'states' || !isDictionary(change.pdf.newIndirect(number))) return
  const { pdf } = change
  const drawing = pdf.newDictionary()
  if (appearance !== null) drawing.put('N', pdf.newIndirect(appearance))
  noteDrawing(change, number, value, {
    ...(appearance !== null && { AP: drawing }),
    ...(state !== null && { AS: pdf.newName(state) }),
  })
}

/** Draws the value on widgets that were added since. */
function drawOthers(model: FormModel, found: FoundField, field: FormField, state: FieldState): void {
  const known = new Set(state.widgets.map(({ number }) => number))
  for (const [
    place,
    {
      object: widget,
      place: { objectNumber },
    },
  ] of found.widgets.entries()) {
    if (known.has(objectNumber) || putFormerDrawing(model.change, widget, state.value)) continue
    if (showsByText(field)) drawWidget({ model, found, field, widget })
    const toggle = field.family === 'checkbox' || field.family === 'radio' ? field.widgets[place] : undefined
    const shown = toggle?.checked === true ? stateIn(widget) : 'Off'
    if (toggle !== undefined && shown !== undefined)
      model.change.touch(widget).put('AS', model.change.pdf.newName(shown))
  }
}

/** Returns the names of the visible states by object number of the widget. */
const statesNow = ({ widgets }: FoundField): ReadonlyMap<number, string> =>
  new Map(
    widgets.flatMap(({ object, place }) => {
      const state = stateIn(object)
      return state === undefined ? [] : [[place.objectNumber, state] as const]
    }),
  )

/** Maps a value that named a state to the current name of that state. */
function inNames(value: StoredValue, { widgets }: FieldState, found: FoundField): StoredValue {
  const name = stateNameIn(value)
  const now = statesNow(found)
  const [state] =
    name === undefined
      ? []
      : widgets.flatMap(({ onState, number }) => (onState === name ? (now.get(number) ?? []) : []))
  return state === undefined ? value : { name: state }
}
