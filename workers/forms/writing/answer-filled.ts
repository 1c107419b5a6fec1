// Builds the response of a write of values, and undoes the write.

import type { Change } from '../../change/change.js'
import type { FoundField } from '../reading/found-field.js'
import { showsByText } from './draw-widget.js'
import { type FieldChange, type FieldState, isAsLeft, stateOf } from './field-state.js'
import { type FilledField, FormFill } from './filling.js'
import { formMeta, unchanged } from './form-meta.js'
import type { FormModel } from './form-model.js'
import { type DrawnForReaders, isUntouched, leaveToReaders } from './left-to-readers.js'

export interface ValuesStep {
  readonly type: 'forms.setValue' | 'forms.reset'
  readonly changes: readonly FieldChange[]
  readonly forReaders?: DrawnForReaders
}

/**
 * Undoes a fill for all fields that are still as the change left them, and returns its result; undefined if all have
 * changed since.
 */
export function undoFill(model: FormModel, { changes, forReaders }: ValuesStep): UndoneFill {
  const isLeft = forReaders !== undefined && isUntouched(model, forReaders)
  const filling = new FormFill(model)
  const restored: FoundField[] = []
  const changedSince: FoundField[] = []
  for (const { field, before, after } of changes) {
    const found = model.lookUp(field)
    if (found === undefined) continue
    if (!isAsLeft(stateOf(model, found), after)) {
      changedSince.push(found)
      continue
    }
    // An appearance that readers disregarded before is disregarded again after the undo.
    filling.restore(found, forReaders === undefined || isLeft ? before : drawnAnew(model, found, before))
    restored.push(found)
  }
  const filled = filling.finish()
  const drawn = isLeft && changedSince.length === 0 ? leaveToReaders(model, forReaders) : []
  return { restored, changedSince, filled: { ...filled, drawn: [...filled.drawn, ...drawn] } }
}

export interface UndoneFill {
  readonly restored: readonly FoundField[]
  /** Fields that have changed since. */
  readonly changedSince: readonly FoundField[]
  readonly filled: FilledField
}

const drawnAnew = (model: FormModel, found: FoundField, state: FieldState): FieldState =>
  showsByText(model.read(found))
    ? { ...state, widgets: state.widgets.map((widget) => ({ ...widget, appearance: 'own' as const })) }
    : state

/** Undoes a fill as far as fields are unchanged since. */
export function undoFilled(
  { change }: FormModel,
  type: ValuesStep['type'],
  { changes, forReaders }: FilledField,
): void {
  const step: ValuesStep = { type, changes, ...(forReaders && { forReaders }) }
  if (changes.length > 0) change.undoBy(step)
}

/** Returns the result. `asked`: fields that are listed whether or not they changed. */
export function answerFilled(model: FormModel, requested: readonly FoundField[], filled: FilledField) {
  // Fields that were only redrawn are included, because their new appearance is reported nowhere else.
  const listed = [...new Set([...requested, ...filled.fields, ...filled.drawn])]
  return {
    widgets: model.widgetsOf(...listed),
    ...(filled.left.length > 0 && { calculations: { left: [...filled.left] } }),
    meta: metaOf(model.change, filled),
  }
}

function metaOf(change: Change, { fields, drawn }: FilledField) {
  if (fields.length === 0) return unchanged()
  return formMeta(
    change,
    fields,
    [...fields, ...drawn].flatMap(({ widgets }) => widgets.map(({ place }) => place)),
  )
}
