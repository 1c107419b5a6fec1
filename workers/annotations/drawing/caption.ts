// Draws captions of lines and shapes: the contents of the annotation, else the measured value.

import type { PolygonAnnotation } from '../../contract/annotations/polygon.js'
import type { Color } from '../../contract/color.js'
import type { Measurement } from '../../contract/measurement.js'
import type { PageSpace } from '../../document/page-space.js'
import { fillColor, numbers } from '../../text/content-operands.js'
import { ascent, descent, leading, oneLine } from '../../text/text-lines.js'
import { type Point, plus, rightOf, times } from './geometry.js'
import type { Sheet } from './sheet.js'

/** Font size in points. */
export const captionSize = 9
const captionFont = 'Helv'
/** Maximum number of drawn characters of one caption. */
const captionCharactersMax = 256

export interface Caption {
  readonly text: string
  readonly middle: Point
  /** Unit vector in reading direction. */
  readonly along: Point
  readonly color: Color
}

export const captionText = (contents: string | null, measured: string | undefined): string =>
  oneLine(contents || measured || '').slice(0, captionCharactersMax)

export const captionWidth = (sheet: Sheet, text: string): number =>
  sheet.textLayout(captionFont).widthOf(text) * captionSize

/** Draws the caption, never upside down. */
export function drawCaption(sheet: Sheet, { text, middle, along, color }: Caption): void {
  const way = along.x < 0 || (along.x === 0 && along.y < 0) ? times(along, -1) : along
  const up = times(rightOf(way), -1)
  const width = captionWidth(sheet, text)
  const start = plus(middle, plus(times(way, -width / 2), times(up, (-(ascent - descent) * captionSize) / 2)))
  const matrix = [way.x, way.y, up.x, up.y].map((value) => value.toFixed(6)).join(' ')
  const words = sheet.textLayout(captionFont).show(text, captionSize)
  sheet.add('BT', fillColor(color), `${matrix} ${numbers(start.x, start.y)} Tm`, words, 'ET')
  const corner = (across: number, upwards: number): Point =>
    plus(middle, plus(times(way, (across * width) / 2), times(up, (upwards * leading * captionSize) / 2)))
  sheet.cover([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)])
}

interface CaptionContext {
  readonly points: readonly Point[]
  readonly space: PageSpace
  /** Default position of the caption. */
  readonly middle: Point
  measured(measure: Measurement | null, points: readonly Point[]): string | undefined
}

type CaptionedShape = Pick<PolygonAnnotation, 'captionEnabled' | 'captionCenter' | 'contents' | 'measure' | 'color'>

export function drawShapeCaption(sheet: Sheet, annotation: CaptionedShape, shape: CaptionContext): void {
  const { captionEnabled, captionCenter, contents, measure, color } = annotation
  const { points, space } = shape
  if (captionEnabled !== true || points.length < 2) return
  const text = captionText(contents, shape.measured(measure, points))
  if (text === '') return
  const middle = captionCenter === null ? shape.middle : space.toUserPoint(captionCenter)
  drawCaption(sheet, { text, middle, along: { x: 1, y: 0 }, color })
}
