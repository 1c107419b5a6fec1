// The look of texts in widgets, and appearances that consist of text.
import { fontResources, textLookOf } from '../../annotations/reading/text-look.js'
import { inheritedFrom } from '../../fields/inheritance.js'
import { entry } from '../../objects/values.js'
import { TextLayout } from '../../text/text-layout.js'
import type { Appearance } from '../writing/put-appearance.js'
import { drawFrame, type WidgetFrame } from './widget-frame.js'
import type { WidgetToDraw } from './widget-to-draw.js'

export function lookOf({ model, widget }: WidgetToDraw) {
  const { form } = model.reading
  const resources = fontResources(widget, form)
  return { ...textLookOf(inheritedFrom(widget, 'DA') ?? entry(form, 'DA'), resources), resources }
}

interface DrawnText {
  readonly frame: WidgetFrame
  readonly text: string
  /** Number of cells of a comb. */
  readonly cells?: number | undefined
}

/** Draws text and adds its fonts to the resources of the drawing. */
export function withTextLayout(drawing: WidgetToDraw, draw: (textLayout: TextLayout) => DrawnText): Appearance {
  const { fontName, resources } = lookOf(drawing)
  const textLayout = new TextLayout({ fontName, resources })
  try {
    const { frame, text, cells } = draw(textLayout)
    const content = `${drawFrame(frame, cells)}/Tx BMC\n${text}EMC`
    return { frame, content, fonts: textLayout.fontResources(drawing.model.change.pdf) }
  } finally {
    textLayout.destroy()
  }
}
