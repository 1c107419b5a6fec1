// Draws icons, which are defined on a square of 20 by 20 units, fitted into the rectangle.
import type { Color } from '../../contract/color.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import { fillColor, number, numbers, strokeColor } from '../../text/content-operands.js'
import { cornersOf } from './geometry.js'
import type { Sheet } from './sheet.js'

/**
 * Operators of an icon, after colours and line width are set. `B` fills with the colour of the annotation and draws
 * the dark outline.
 */
export type Icon = readonly string[]

const side = 20
const outline: Color = '#333333'

export function drawIcon(sheet: Sheet, icon: Icon, color: Color, rect: PdfRect): void {
  const width = rect.right - rect.left
  const height = rect.top - rect.bottom
  const scale = Math.min(width, height) / side
  const left = rect.left + (width - side * scale) / 2
  const bottom = rect.bottom + (height - side * scale) / 2
  sheet.inside(`${number(scale)} 0 0 ${number(scale)} ${numbers(left, bottom)} cm`, () =>
    sheet.add(fillColor(color), strokeColor(outline), '1 w 1 j 1 J', ...icon),
  )
  sheet.cover(cornersOf(rect))
}
