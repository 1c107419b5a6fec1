// Draws the text of a text field or combo box in its frame: one line, several, or one character per cell.
import type { Color } from '../../contract/color.js'
import type { TextAlign } from '../../contract/text-align.js'
import { fillColor, numbers } from '../../text/content-operands.js'
import { clustersOf } from '../../text/shaping/complex-text.js'
import { directionOf, visualClusters } from '../../text/shaping/direction.js'
import type { TextLayout } from '../../text/text-layout.js'
import {
  ascent,
  descent,
  leading,
  type Measure,
  multilineSize,
  oneLine,
  singleLineSize,
  wrapped,
} from '../../text/text-lines.js'
import type { WidgetFrame } from './widget-frame.js'

export interface TextDrawing {
  readonly frame: WidgetFrame
  readonly textLayout: TextLayout
  readonly text: string
  readonly color: Color
  /** Font size in points; 0 = as large as fits. */
  readonly fontSize: number
  readonly align: TextAlign
  readonly isMultiline: boolean
  /** True if each character is shown as a dot. */
  readonly isPassword: boolean
  /** Number of cells of equal width; undefined = none. */
  readonly cells: number | undefined
}

/** Maximum number of drawn characters; no field shows more. */
const drawnCharactersMax = 20_000

const passwordSign = '•'

/** Fraction of the remaining width that is placed before the text. */
const shares: Readonly<Record<TextAlign, number>> = { left: 0, center: 0.5, right: 1 }

/** Returns the operators between `BMC` and `EMC`. */
export function drawText(drawing: TextDrawing): string {
  const text = drawing.text.slice(0, drawnCharactersMax).normalize('NFC')
  const shown = drawing.isPassword ? passwordSign.repeat(Array.from(text).length) : text
  if (shown === '') return ''
  const { frame, color } = drawing
  const { inset, width, height } = frame
  const clip = `${numbers(inset, inset, Math.max(0, width - 2 * inset), Math.max(0, height - 2 * inset))} re W n`
  const lines = linesOf(drawing, shown)
  return `q\n${clip}\nBT\n${fillColor(color)}\n${lines}\nET\nQ\n`
}

function linesOf(drawing: TextDrawing, text: string): string {
  if (drawing.cells !== undefined) return combLine(drawing, drawing.cells, oneLine(text))
  return drawing.isMultiline ? severalLines(drawing, text) : singleLine(drawing, oneLine(text))
}

function singleLine({ frame, textLayout, fontSize, align }: TextDrawing, text: string): string {
  const room = roomOf(frame)
  const size = fontSize > 0 ? fontSize : singleLineSize(text, room, measureOf(textLayout))
  const spare = room.width - textLayout.widthOf(text) * size
  // Text that does not fit is shown from its beginning.
  const share = spare >= 0 ? shares[align] : directionOf(text) === 'rtl' ? 1 : 0
  return at(2 * frame.inset + spare * share, baselineOf(frame, size)) + textLayout.show(text, size)
}

function severalLines({ frame, textLayout, fontSize, align }: TextDrawing, text: string): string {
  const room = { width: frame.width - 4 * frame.inset, height: frame.height - 2 * frame.inset }
  const measure = measureOf(textLayout)
  const size = fontSize > 0 ? fontSize : multilineSize(text, room, measure)
  const linesMax = Math.ceil(room.height / (leading * size)) + 1
  const lines = wrapped(text, room.width / size, measure).slice(0, linesMax)
  const above = (leading - ascent - descent) / 2
  // Marks on letters of the first line would be cut off.
  const lowered = Math.max(above, textLayout.topOf(lines[0] ?? '') - ascent)
  return lines
    .map((line, index) => {
      const left = 2 * frame.inset + (room.width - measure(line) * size) * shares[align]
      const top = frame.height - frame.inset - (index * leading + lowered) * size
      return at(left, top - ascent * size) + textLayout.show(line, size)
    })
    .join('\n')
}

/** Draws a comb (ISO 32000-2, 12.7.5.3): one cell per permitted character. */
function combLine({ frame, textLayout, fontSize, align }: TextDrawing, cells: number, text: string): string {
  const characters = visualClusters(clustersOf(text).slice(0, cells).join(''))
  const width = frame.width / cells
  const widths = characters.map(({ text: character, direction }) => textLayout.widthOf(character, { direction }))
  const widest = Math.max(...widths, 0.1)
  const fitting = Math.min((frame.height - 2 * frame.inset) / leading, width / widest)
  const size = fontSize > 0 ? fontSize : fitting
  const first = Math.floor((cells - characters.length) * shares[align])
  return characters
    .map(({ text: character, direction }, index) => {
      const left = (first + index) * width + (width - (widths[index] ?? 0) * size) / 2
      return at(left, baselineOf(frame, size)) + textLayout.show(character, size, { direction })
    })
    .join('\n')
}

const roomOf = ({ width, height, inset }: WidgetFrame) => ({ width: width - 4 * inset, height: height - 2 * inset })

const measureOf =
  (textLayout: TextLayout): Measure =>
  (text) =>
    textLayout.widthOf(text)

/** Returns the baseline of a line in the centre of the frame. */
export const baselineOf = ({ height }: Pick<WidgetFrame, 'height'>, size: number): number =>
  (height - (ascent + descent) * size) / 2 + descent * size

export const at = (x: number, y: number): string => `1 0 0 1 ${numbers(x, y)} Tm `
