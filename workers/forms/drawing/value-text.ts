// Appearances that show the value of a field as text.
import { alignOf } from '../../annotations/reading/text-look.js'
import { inheritedFrom } from '../../fields/inheritance.js'
import { black } from '../../objects/colors.js'
import { entry } from '../../objects/values.js'
import type { ShownText } from '../scripts/field-scripts.js'
import type { Appearance } from '../writing/put-appearance.js'
import { drawText } from './draw-text.js'
import { lookOf, withTextLayout } from './text-look.js'
import { frameOf } from './widget-frame.js'
import type { WidgetToDraw } from './widget-to-draw.js'

export function textAppearance(drawing: WidgetToDraw, shown: ShownText): Appearance {
  const { model, field, widget } = drawing
  const frame = frameOf(widget)
  const look = lookOf(drawing)
  const isText = field.family === 'text'
  const isComb = isText && field.comb && !field.multiline && !field.password
  const cells = isComb ? (field.maxLength ?? undefined) : undefined
  return withTextLayout(drawing, (textLayout) => {
    const text = drawText({
      frame,
      textLayout,
      text: shown.text,
      color: shown.color ?? look.fillColor ?? black,
      fontSize: look.fontSize ?? 0,
      align: alignOf(inheritedFrom(widget, 'Q') ?? entry(model.reading.form, 'Q')) ?? 'left',
      isMultiline: isText && field.multiline,
      isPassword: isText && field.password,
      cells,
    })
    return { frame, text, cells }
  })
}
