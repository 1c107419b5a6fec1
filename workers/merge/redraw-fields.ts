// Redraws the widgets of fields that both sides changed, because one may have changed the value and the other a widget.
import type { Change } from '../change/change.js'
import { inherited } from '../fields/inheritance.js'
import type { FoundField } from '../forms/reading/found-field.js'
import { drawField } from '../forms/writing/draw-widget.js'
import { type FormModel, wholeForm } from '../forms/writing/form-model.js'
import { showsOther } from '../forms/writing/put-appearance.js'
import { writeState } from '../forms/writing/toggle-states.js'
import { entry, isDictionary, nameOf, objectNumberOf } from '../objects/values.js'
import type { Sides } from './sides.js'

export interface RedrawContext {
  readonly change: Change
  readonly sides: Sides
  readonly protectedNumbers: ReadonlySet<number>
  readonly changedByOurs: ReadonlySet<number>
}

export function redrawFields(context: RedrawContext): void {
  const { change } = context
  if (!isDictionary(entry(change.document.catalog, 'AcroForm'))) return
  const model = wholeForm(change)
  for (const found of model.fields) {
    if (isOfBoth(context, found)) redraw(model, found)
  }
}

function isOfBoth({ sides, protectedNumbers, changedByOurs }: RedrawContext, { node, widgets }: FoundField): boolean {
  const objects = [...node.lineage, ...widgets.map(({ object }) => object)]
  const drawings = widgets.map(({ object }) => entry(object, 'AP', 'N'))
  const numbers = [...objects, ...drawings].flatMap((object) => objectNumberOf(object) ?? [])
  if (numbers.some((number) => protectedNumbers.has(number))) return false
  return (
    numbers.some((number) => changedByOurs.has(number)) && numbers.some((number) => sides.isChangedByTheirs(number))
  )
}

function redraw(model: FormModel, found: FoundField): void {
  const field = model.read(found)
  if (field.family === 'signature' || field.family === 'unknown') return
  if (found.widgets.some(({ object }) => showsOther(object))) return
  if (field.family === 'checkbox' || field.family === 'radio') {
    const value = inherited(found.node.lineage, 'V')
    const state = value === undefined ? undefined : nameOf(value)
    writeState(
      { model, found, field },
      state === 'Off' ? undefined : state,
      field.family === 'checkbox' || field.radiosInUnison,
    )
  } else drawField(model, found)
  for (const { place } of found.widgets) {
    if (place.page !== null) model.change.effects.page(place.page.objectNumber, 'widgets')
  }
}
