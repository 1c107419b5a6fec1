// Draws appearances of checkboxes and radio buttons: one for the on state, one for `Off`.
import { inherited } from '../../fields/inheritance.js'
import { black } from '../../objects/colors.js'
import { entry, isStream, textOf } from '../../objects/values.js'
import { numbers } from '../../text/content-operands.js'
import { onStateOf } from '../reading/toggles.js'
import { putStates } from '../writing/put-appearance.js'
import { disc, drawMark, drawRing, markFontResources, tick } from './draw-mark.js'
import { lookOf } from './text-look.js'
import { drawFrame, frameOf } from './widget-frame.js'
import type { WidgetToDraw } from './widget-to-draw.js'

/** Draws the states of a widget whose appearance has no state of the name. */
export function drawMissingStates(drawing: WidgetToDraw, onState: string): void {
  if (isStream(entry(drawing.widget, 'AP', 'N', onState))) return
  drawing.model.change.touch(drawing.widget)
  drawStates(drawing, onState)
}

export const drawToggle = (drawing: WidgetToDraw): void =>
  drawStates(drawing, onStateOf(drawing.widget, inherited(drawing.found.node.lineage, 'V')))

function drawStates(drawing: WidgetToDraw, onState: string): void {
  const { model, field, widget } = drawing
  const { change } = model
  const frame = frameOf(widget)
  const look = lookOf(drawing)
  const isRadio = field.family === 'radio'
  const sign = (textOf(entry(widget, 'MK', 'CA')) ?? '').slice(0, 1) || (isRadio ? disc : tick)
  const around = isRadio && sign === disc ? drawRing(frame) : drawFrame(frame)
  // The font size in the file is that of the file's own drawing; here the mark always fits.
  const mark = drawMark({ frame, sign, color: look.fillColor ?? black, fontSize: 0 })
  putStates(change, widget, {
    [onState]: { frame, content: around + mark, fonts: markFontResources(change.pdf) },
    Off: { frame, content: around === '' ? `0 0 ${numbers(0, 0)} re n` : around, fonts: undefined },
  })
}
