// Draws a widget anew, from what its field holds and how it is to look.
import type { PDFObject } from 'mupdf'
import { alignOf, fontResources, textLookOf } from '../../annotations/reading/text-look.js'
import type { FieldFamily } from '../../contract/field-family.js'
import type { FormField } from '../../contract/form-field.js'
import { inherited, inheritedFrom } from '../../fields/inheritance.js'
import { black } from '../../objects/colors.js'
import { entry, integerOf, isStream, textOf } from '../../objects/values.js'
import { numbers } from '../../text/content.js'
import { Lettering } from '../../text/lettering.js'
import { drawList } from '../drawing/draw-list.js'
import { disc, drawMark, drawRing, markFontResources, tick } from '../drawing/draw-mark.js'
import { drawText } from '../drawing/draw-text.js'
import { drawFrame, frameOf, type WidgetFrame } from '../drawing/widget-frame.js'
import type { FoundField } from '../reading/fields.js'
import { onStateOf } from '../reading/toggles.js'
import { type ShownText, shownText } from '../scripts/field-scripts.js'
import type { FormModel } from './form-model.js'
import { type Appearance, putAppearance, putOtherAppearance, putStates } from './put-appearance.js'

export interface WidgetToDraw {
  readonly model: FormModel
  readonly found: FoundField
  readonly field: FormField
  readonly widget: PDFObject
}

/** False = nothing can be drawn for the family: what shows is what the file says. */
export function drawWidget(drawing: WidgetToDraw): boolean {
  const draw = drawers[drawing.field.family]
  if (draw === undefined) return false
  drawing.model.change.touch(drawing.widget)
  draw(drawing)
  return true
}

/** All widgets of a field. */
export function drawField(model: FormModel, found: FoundField): void {
  const field = model.read(found)
  for (const { object: widget } of found.widgets) drawWidget({ model, found, field, widget })
}

/** Checkboxes and radio buttons whose drawing has no state of the name. */
export function drawMissingStates(drawing: WidgetToDraw, onState: string): void {
  if (isStream(entry(drawing.widget, 'AP', 'N', onState))) return
  drawing.model.change.touch(drawing.widget)
  drawToggle(drawing, onState)
}

const stateOf = ({ found, widget }: WidgetToDraw): string => onStateOf(widget, inherited(found.node.lineage, 'V'))

/** Text of a text field or combo box that is not its value. */
export function drawOtherText(drawing: WidgetToDraw, text: string): void {
  const { model, widget } = drawing
  model.change.touch(widget)
  putOtherAppearance(model.change, widget, textAppearance(drawing, { text }))
}

/**
 * Families that show their value as text; check boxes and radio buttons show it by a state, set along with the value.
 */
const shownByText: ReadonlySet<FieldFamily> = new Set(['text', 'combobox', 'listbox'])

/** Whether appearances of the field's widgets follow from its value alone. */
export const showsByText = ({ family }: FormField): boolean => shownByText.has(family)

const drawers: Readonly<Partial<Record<FieldFamily, (drawing: WidgetToDraw) => void>>> = {
  text: (drawing) => {
    const { model, found, field, widget } = drawing
    const value = field.family === 'text' ? field.value : ''
    putAppearance(model.change, widget, textAppearance(drawing, shownText(model.reading, found.node.object, value)))
  },
  combobox: (drawing) => {
    const { model, found, field, widget } = drawing
    if (field.family !== 'combobox') return
    const label = field.options.find(({ value }) => value === field.value)?.label
    const shown = label === undefined ? shownText(model.reading, found.node.object, field.value) : { text: label }
    putAppearance(model.change, widget, textAppearance(drawing, shown))
  },
  listbox: (drawing) => putAppearance(drawing.model.change, drawing.widget, listAppearance(drawing)),
  checkbox: (drawing) => drawToggle(drawing, stateOf(drawing)),
  radio: (drawing) => drawToggle(drawing, stateOf(drawing)),
  pushbutton: (drawing) => putAppearance(drawing.model.change, drawing.widget, captionAppearance(drawing)),
  signature: ({ model, widget }) => {
    // A signed one, and one with a drawing of its own, is never drawn over.
    if (!isStream(entry(widget, 'AP', 'N'))) putAppearance(model.change, widget, plainAppearance(frameOf(widget)))
  },
}

const plainAppearance = (frame: WidgetFrame): Appearance => ({ frame, content: drawFrame(frame), fonts: undefined })

function lookOf({ model, widget }: WidgetToDraw) {
  const { form } = model.reading
  const resources = fontResources(widget, form)
  return { ...textLookOf(inheritedFrom(widget, 'DA') ?? entry(form, 'DA'), resources), resources }
}

function textAppearance(drawing: WidgetToDraw, shown: ShownText): Appearance {
  const { model, field, widget } = drawing
  const frame = frameOf(widget)
  const look = lookOf(drawing)
  const isText = field.family === 'text'
  return lettered(drawing, (lettering) => {
    const text = drawText({
      frame,
      lettering,
      text: shown.text,
      color: shown.color ?? look.fillColor ?? black,
      fontSize: look.fontSize ?? 0,
      align: alignOf(inheritedFrom(widget, 'Q') ?? entry(model.reading.form, 'Q')) ?? 'left',
      isMultiline: isText && field.multiline,
      isPassword: isText && field.password,
      cells: isText && field.comb && !field.multiline && !field.password ? (field.maxLength ?? undefined) : undefined,
    })
    return { frame, text }
  })
}

function listAppearance(drawing: WidgetToDraw): Appearance {
  const { found, field, widget } = drawing
  const frame = frameOf(widget)
  const look = lookOf(drawing)
  const top = integerOf(entry(found.node.object, 'TI')) ?? 0
  const options = field.family === 'listbox' ? field.options : []
  return lettered(drawing, (lettering) => ({
    frame,
    text: drawList({
      frame,
      lettering,
      options,
      top: Math.max(0, top),
      color: look.fillColor ?? black,
      fontSize: look.fontSize ?? 0,
    }),
  }))
}

function captionAppearance(drawing: WidgetToDraw): Appearance {
  const frame = frameOf(drawing.widget)
  const look = lookOf(drawing)
  return lettered(drawing, (lettering) => ({
    frame,
    text: drawText({
      frame,
      lettering,
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

/** The fonts the text was written with go into the drawing's resources. */
function lettered(
  drawing: WidgetToDraw,
  draw: (lettering: Lettering) => { readonly frame: WidgetFrame; readonly text: string },
): Appearance {
  const { fontName, resources } = lookOf(drawing)
  const lettering = new Lettering({ fontName, resources })
  try {
    const { frame, text } = draw(lettering)
    const content = `${drawFrame(frame)}/Tx BMC\n${text}EMC`
    return { frame, content, fonts: lettering.fontResources(drawing.model.change.pdf) }
  } finally {
    lettering.destroy()
  }
}

function drawToggle(drawing: WidgetToDraw, onState: string): void {
  const { model, field, widget } = drawing
  const { change } = model
  const frame = frameOf(widget)
  const look = lookOf(drawing)
  const isRadio = field.family === 'radio'
  const sign = (textOf(entry(widget, 'MK', 'CA')) ?? '').slice(0, 1) || (isRadio ? disc : tick)
  const around = isRadio && sign === disc ? drawRing(frame) : drawFrame(frame)
  // A size in the file is that of its own drawing of the sign; here it always fits.
  const mark = drawMark({ frame, sign, color: look.fillColor ?? black, fontSize: 0 })
  putStates(change, widget, {
    [onState]: { frame, content: around + mark, fonts: markFontResources(change.pdf) },
    Off: { frame, content: around === '' ? `0 0 ${numbers(0, 0)} re n` : around, fonts: undefined },
  })
}
