// A field's value and what its widgets show, as plain JSON: taken before and after a write, so that an undo can put back
// exactly what there was, and see whether somebody changed it since.
import { isDeepStrictEqual } from 'node:util'
import type { FoundField } from '../../pdf/forms/fields.js'
import { inherited } from '../../pdf/forms/inheritance.js'
import { onStateOf } from '../../pdf/forms/toggles.js'
import { entry, isStream, nameOf, objectNumberOf } from '../../pdf/values.js'
import type { FormFieldRef } from '../../shapes/form-field-ref.js'
import { drawMissingStates, drawWidget } from './draw-widget.js'
import { type FormModel, touchField } from './form-model.js'
import { appearanceName, dropAppearance, putNormal } from './put-appearance.js'
import { putStored, type StoredValue, storedValue } from './stored-value.js'

interface WidgetState {
  readonly number: number
  /** /AS */
  readonly state: string | null
  readonly appearance: ReturnType<typeof appearanceName>
}

export interface FieldState {
  readonly value: StoredValue
  readonly richValue: StoredValue
  readonly places: StoredValue
  readonly widgets: readonly WidgetState[]
}

/** What one write did to one field. */
export interface FieldChange {
  readonly field: FormFieldRef
  readonly before: FieldState
  readonly after: FieldState
}

export function stateOf({ reading }: FormModel, { node, widgets }: FoundField): FieldState {
  return {
    value: storedValue(reading, node.object, 'V'),
    richValue: storedValue(reading, node.object, 'RV'),
    places: storedValue(reading, node.object, 'I'),
    widgets: widgets.map(({ object }) => ({
      number: objectNumberOf(object) ?? 0,
      state: nameOf(entry(object, 'AS')) ?? null,
      appearance: appearanceName(object),
    })),
  }
}

/** What counts for an undo: the value, and which state shows. */
export const isSameValue = (one: FieldState, other: FieldState): boolean =>
  isDeepStrictEqual([one.value, one.places, shown(one)], [other.value, other.places, shown(other)])

const shown = ({ widgets }: FieldState) => widgets.map(({ number, state }) => [number, state])

/** Drawings the file brought come back as they were; those made here are drawn anew. */
export function putState(model: FormModel, found: FoundField, state: FieldState): void {
  const { change } = model
  const object = touchField(model, found)
  putStored(change, object, 'V', state.value)
  putStored(change, object, 'RV', state.richValue)
  putStored(change, object, 'I', state.places)
  const field = model.read(found)
  const isToggle = field.family === 'checkbox' || field.family === 'radio'
  for (const { number, state: shownState, appearance } of state.widgets) {
    const widget = found.widgets.find(({ place }) => place.objectNumber === number)?.object
    if (widget === undefined) continue
    change.touch(widget)
    const onState = onStateOf(widget, inherited(found.node.lineage, 'V'))
    if (shownState === null) widget.delete('AS')
    else widget.put('AS', change.pdf.newName(shownState))
    if (isToggle || appearance === 'states') {
      if (appearance === null) dropAppearance(change, widget)
      else drawMissingStates({ model, found, field, widget }, onState)
      continue
    }
    const drawing = typeof appearance === 'number' ? change.pdf.newIndirect(appearance) : undefined
    if (drawing !== undefined && isStream(drawing)) putNormal(change, widget, drawing)
    else if (appearance === null) dropAppearance(change, widget)
    else drawWidget({ model, found, field, widget })
  }
}
