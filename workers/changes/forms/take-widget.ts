// Deletes a widget, and its field with it where that shows nowhere else.
import type { PDFObject } from 'mupdf'
import { isWidget } from '../../pdf/forms/field-tree.js'
import type { FoundField } from '../../pdf/forms/fields.js'
import type { PlacedWidget } from '../../pdf/forms/form-widgets.js'
import { entry, objectNumberOf } from '../../pdf/values.js'
import type { FormField } from '../../shapes/form-field.js'
import { JobRefusal } from '../../task.js'
import type { Change } from '../change.js'
import { undoDelete } from './delete-field.js'
import { formMeta } from './form-meta.js'
import { FormModel } from './form-model.js'
import { split } from './place-widget.js'
import { removeField } from './remove-field.js'
import { removeWidget } from './remove-widget.js'
import { undoTake } from './undo-widgets.js'

export function takeWidget(model: FormModel, placed: PlacedWidget) {
  const { object, place } = placed
  if (place.ref === null || place.page === null) throw new JobRefusal('NotFound', 'The widget is on no page')
  const found = model.fieldOf(placed)
  const meta = formMeta(model.change, found === undefined ? [] : [found], [place])
  let field: FormField | null = null
  if (found !== undefined && showsOnlyIn(found, place.objectNumber)) undoDelete(model, removeField(model, found))
  else field = detach(model, found, { object, page: place.page.objectNumber })
  return { type: 'forms.deleteWidget' as const, widget: place.ref, page: place.page, field, meta }
}

/** Takes the widget away; the field stays, also without any. Answers it as it is then. */
export function detach(
  model: FormModel,
  found: FoundField | undefined,
  { object, page }: { readonly object: PDFObject; readonly page: number },
): FormField | null {
  const { change } = model
  undoTake(change, removeWidget(change, apart(change, found, object), page))
  if (found === undefined) return null
  const now = new FormModel(change)
  return now.read(now.find(found.ref))
}

/** A field that is its own widget is split first. */
function apart(change: Change, found: FoundField | undefined, widget: PDFObject): PDFObject {
  if (found === undefined || !isWidget(found.node.object)) return widget
  if (objectNumberOf(found.node.object) !== objectNumberOf(widget)) return widget
  change.touch(widget)
  split(change, found)
  return entry(found.node.object, 'Kids', 0)
}

const showsOnlyIn = ({ widgets }: FoundField, number: number): boolean =>
  widgets.every(({ place }) => place.objectNumber === number)
