// Returns the pen of an annotation with a border.
import type { Border, Fill } from '../../contract/annotations/shared-members.js'
import type { Pen } from './sheet.js'

interface BorderedShape extends Border {
  readonly color: Fill['color']
  readonly interiorColor?: Fill['interiorColor']
}

export const penOf = ({ color, strokeWidth, borderStyle, dashArray, interiorColor = null }: BorderedShape): Pen => ({
  color,
  strokeWidth,
  dashArray: borderStyle === 'dashed' ? dashArray : null,
  interiorColor,
})
