// Redraws widgets from the value of their field and their look.
import type { FormField } from '../../contract/form-field.js'
import { textAppearance } from '../drawing/value-text.js'
import type { WidgetToDraw } from '../drawing/widget-to-draw.js'
import { familyOf } from '../load-families.js'
import type { FoundField } from '../reading/found-field.js'
import type { FormModel } from './form-model.js'
import { putOtherAppearance } from './put-appearance.js'

/** Draws a widget. Returns false if the family cannot be drawn; the appearance in the file then stays. */
export function drawWidget(drawing: WidgetToDraw): boolean {
  const work = familyOf(drawing.field.family)
  if (work.draw === undefined) return false
  drawing.model.change.touch(drawing.widget)
  work.draw(drawing, drawing.field)
  return true
}

/** Draws all widgets of a field. */
export function drawField(model: FormModel, found: FoundField): void {
  const field = model.read(found)
  for (const { object: widget } of found.widgets) drawWidget({ model, found, field, widget })
}

/** Draws a text of a text field or combo box that is not its value. */
export function drawOtherText(drawing: WidgetToDraw, text: string): void {
  const { model, widget } = drawing
  model.change.touch(widget)
  putOtherAppearance(model.change, widget, textAppearance(drawing, { text }))
}

/** True if appearances of the field's widgets follow from its value alone. */
export const showsByText = ({ family }: FormField): boolean => familyOf(family).showsByText === true
