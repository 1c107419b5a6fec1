// Draws the mark of a checkbox or radio button that is on: a character of ZapfDingbats in the centre of the frame.
import type { PDFDocument, PDFObject } from 'mupdf'
import type { Color } from '../../contract/color.js'
import { mupdf } from '../../engine/library.js'
import { fillColor, literal, number, numbers, strokeColor } from '../../text/content-operands.js'
import { baseNameOf, standardFontResource } from '../../text/written-font.js'
import { at } from './draw-text.js'
import type { WidgetFrame } from './widget-frame.js'

export interface MarkDrawing {
  readonly frame: WidgetFrame
  /** Character of ZapfDingbats: `4` is a tick, `l` a disc. */
  readonly sign: string
  readonly color: Color
  readonly fontSize: number
}

export const markFontName = 'ZaDb'
export const tick = '4'
export const disc = 'l'

/** Height and position of the characters as fractions of the em. */
const signHeight = 0.7
const signBottom = 0

export function drawMark({ frame, sign, color, fontSize }: MarkDrawing): string {
  const { width, height, inset } = frame
  const em = widthOfSign(sign)
  const fitting = Math.min((width - 2 * inset) / Math.max(em, 0.1), (height - 2 * inset) / signHeight)
  // The disc of a radio button must not touch its ring.
  const size = fontSize > 0 ? fontSize : Math.max(1, fitting * (sign === disc ? 0.7 : 0.9))
  const place = at((width - em * size) / 2, (height - signHeight * size) / 2 - signBottom * size)
  return `q\nBT\n${fillColor(color)}\n${place}/${markFontName} ${number(size)} Tf ${literal(sign)} Tj\nET\nQ\n`
}

export function markFontResources(pdf: PDFDocument): PDFObject {
  const fonts = pdf.newDictionary()
  fonts.put(markFontName, standardFontResource(pdf, 'zapf-dingbats'))
  return fonts
}

/** Draws background and border of a radio button as a circle. */
export function drawRing({ width, height, background, border, borderWidth }: WidgetFrame): string {
  const radius = Math.max(0, Math.min(width, height) / 2 - borderWidth / 2)
  const path = circle(width / 2, height / 2, radius)
  const parts: string[] = []
  if (background !== undefined) parts.push(`${fillColor(background)} ${path} f`)
  if (border !== undefined && borderWidth > 0) parts.push(`${strokeColor(border)} ${number(borderWidth)} w ${path} S`)
  return parts.length === 0 ? '' : `q\n${parts.join('\n')}\nQ\n`
}

/** Distance of control points at which four curves approximate a circle. */
const kappa = 0.5523

function circle(x: number, y: number, radius: number): string {
  const far = radius * kappa
  const curve = (...points: readonly number[]): string => `${numbers(...points)} c`
  return [
    `${numbers(x + radius, y)} m`,
    curve(x + radius, y + far, x + far, y + radius, x, y + radius),
    curve(x - far, y + radius, x - radius, y + far, x - radius, y),
    curve(x - radius, y - far, x - far, y - radius, x, y - radius),
    curve(x + far, y - radius, x + radius, y - far, x + radius, y),
    'h',
  ].join(' ')
}

function widthOfSign(sign: string): number {
  const font = new mupdf.Font(baseNameOf('zapf-dingbats'))
  try {
    return font.advanceGlyph(font.encodeCharacter(signPoints[sign] ?? 0x2714))
  } finally {
    font.destroy()
  }
}

/** Unicode characters of the marks. */
const signPoints: Readonly<Record<string, number>> = {
  '4': 0x2714,
  '5': 0x2715,
  '6': 0x2716,
  '8': 0x2718,
  l: 0x25cf,
  n: 0x25a0,
  u: 0x25c6,
  H: 0x2605,
}
