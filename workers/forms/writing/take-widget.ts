// Deletes a widget, and its field if it was the last one.

import type { Change } from '../../change/change.js'
import type { FormField } from '../../contract/form-field.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { entry, objectNumberOf } from '../../objects/values.js'
import type { PlacedWidget } from '../reading/form-widgets.js'
import type { FoundField } from '../reading/found-field.js'
import { undoDelete } from './delete-field.js'
import { formMeta, withFormer } from './form-meta.js'
import { FormModel } from './form-model.js'
import { removeField } from './remove-field.js'
import { removeWidget } from './remove-widget.js'
import { joinAgain, split } from './split-field.js'
import { listStray } from './stray-field.js'
import { touchField } from './touch-field.js'
import { undoTake } from './undo-widgets.js'

export function takeWidget(model: FormModel, placed: PlacedWidget) {
  const { change } = model
  const found = model.fieldOf(placed)
  if (found === undefined || !showsOnlyIn(found, placed.place.objectNumber)) return dropWidget(model, placed)
  const item = answerTaken(model, placed)
  undoDelete(model, removeField(model, found))
  change.cache.evict('form')
  return item
}

/** Removes the widget; its field stays, even without any other widget. */
export function dropWidget(model: FormModel, placed: PlacedWidget) {
  const found = model.fieldOf(placed)
  const item = answerTaken(model, placed)
  detach(model, found, placed)
  if (found === undefined) return item
  const field = readNow(model.change, found.ref)
  return { ...item, field, meta: withFormer(item.meta, field.ref) }
}

function answerTaken(model: FormModel, placed: PlacedWidget) {
  const { place } = placed
  if (place.ref === null || place.page === null) throw new JobRefusal('NotFound', 'The widget is on no page')
  const found = model.fieldOf(placed)
  const meta = formMeta(model.change, found === undefined ? [] : [found], [place])
  const gone: { readonly field: FormField | null } = { field: null }
  return { type: 'forms.deleteWidget' as const, widget: place.ref, page: place.page, ...gone, meta }
}

/**
 * Removes the widget; the field stays, even without any other widget. A field merged with its widget is split first.
 */
export function detach(model: FormModel, found: FoundField | undefined, { object, place }: PlacedWidget): void {
  const { change } = model
  if (found !== undefined) touchField(model, found)
  const listed = found !== undefined && showsOnlyIn(found, place.objectNumber) ? listStray(model, found) : []
  const field = found && split(change, found.node.object)
  const removed = removeWidget(change, { widget: object, field, page: place.page?.objectNumber })
  undoTake(change, removed, listed)
}

/** Undoes the split: a field whose only widget is left is merged with it again. */
export function rejoin(change: Change, ref: FormFieldRef): void {
  const found = new FormModel(change).lookUp(ref)
  if (found === undefined || objectNumberOf(found.node.object) === undefined) return
  if (objectNumberOf(entry(found.node.object, 'Kids', 0)) === undefined) return
  const [only] = found.widgets
  const joined = joinAgain(change, found.node.object)
  if (joined !== found.node.object && only?.place.page != null)
    change.effects.page(only.place.page.objectNumber, 'widgets')
}

export function readNow(change: Change, ref: FormFieldRef): FormField {
  const model = new FormModel(change)
  return model.read(model.find(ref))
}

const showsOnlyIn = ({ widgets }: FoundField, number: number): boolean =>
  widgets.every(({ place }) => place.objectNumber === number)
