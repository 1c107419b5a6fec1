// Push buttons, which have a caption but no value.
import { Pushbutton } from '../../contract/fields/pushbutton.js'
import { black } from '../../objects/colors.js'
import { entry, textOf } from '../../objects/values.js'
import { drawText } from '../drawing/draw-text.js'
import { lookOf, withTextLayout } from '../drawing/text-look.js'
import { frameOf } from '../drawing/widget-frame.js'
import type { WidgetToDraw } from '../drawing/widget-to-draw.js'
import { familyWork } from '../family-work.js'
import { type Appearance, putAppearance } from '../writing/put-appearance.js'

export const work = familyWork(Pushbutton, {
  read: (base) => ({ ...base, family: 'pushbutton' }),
  draw: (drawing) => putAppearance(drawing.model.change, drawing.widget, captionAppearance(drawing)),
})

function captionAppearance(drawing: WidgetToDraw): Appearance {
  const frame = frameOf(drawing.widget)
  const look = lookOf(drawing)
  return withTextLayout(drawing, (textLayout) => ({
    frame,
    text: drawText({
      frame,
      textLayout,
      text: textOf(entry(drawing.widget, 'MK', 'CA')) ?? '',
      color: look.fillColor ?? black,
      fontSize: look.fontSize ?? 0,
      align: 'center',
      isMultiline: false,
      isPassword: false,
      cells: undefined,
    }),
  }))
}
