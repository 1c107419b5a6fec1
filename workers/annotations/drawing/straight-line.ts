// Draws straight lines with leader lines to the measured object, endings and a caption.

import type { LineAnnotation } from '../../contract/annotations/line.js'
import type { PageSpace } from '../../document/page-space.js'
import { captionSize, captionText, captionWidth, drawCaption } from './caption.js'
import { drawEnding } from './endings.js'
import { between, direction, lengthOf, minus, type Point, plus, rightOf, times } from './geometry.js'
import { writtenLength } from './measured.js'
import { penOf } from './pen.js'
import type { Sheet } from './sheet.js'

/** Gap in points on either side of a caption within the line. */
const captionGap = 3

interface Run {
  readonly from: Point
  readonly to: Point
  /** Unit vector from start to end. */
  readonly along: Point
}

export function drawLine(sheet: Sheet, annotation: LineAnnotation, space: PageSpace): void {
  const start = space.toUserPoint(annotation.linePoints.start)
  const end = space.toUserPoint(annotation.linePoints.end)
  sheet.turned(between(start, end), annotation.rotation, () => {
    const along = direction(start, end)
    const { leader } = annotation
    // Positive lengths are to the right of the direction from start to end (ISO 32000-2, table 178).
    const away = times(rightOf(along), leader?.length ?? 0)
    const run: Run = { from: plus(start, away), to: plus(end, away), along }
    sheet.cover([start, end, run.from, run.to], annotation.strokeWidth / 2)
    const paint = sheet.pen({ ...penOf(annotation), interiorColor: null }, false)
    const text = annotation.captionEnabled
      ? captionText(annotation.contents, writtenLength(annotation.measure, [start, end]))
      : ''
    if (paint !== undefined) {
      if (leader !== null) drawLeaders(sheet, annotation, [start, end], away)
      drawParts(sheet, annotation, run, text)
      sheet.add(paint)
      drawEndings(sheet, annotation, run)
    }
    if (text !== '')
      drawCaption(sheet, { text, middle: captionMiddle(annotation, run), along, color: annotation.color })
  })
}

/** Draws the line, except under a caption within it. */
function drawParts(sheet: Sheet, annotation: LineAnnotation, { from, to, along }: Run, text: string): void {
  const length = lengthOf(minus(to, from))
  const { captionPosition, captionOffset } = annotation
  const isInLine = captionPosition === 'inline' && (captionOffset?.perpendicular ?? 0) === 0 && text !== ''
  const gap = isInLine ? captionWidth(sheet, text) / 2 + captionGap : 0
  const middle = length / 2 + (captionOffset?.along ?? 0)
  const [before, after] = [middle - gap, middle + gap]
  if (gap === 0 || before <= 0 || after >= length) {
    sheet.lines([from, to])
    return
  }
  sheet.lines([from, plus(from, times(along, before))])
  sheet.lines([plus(from, times(along, after)), to])
}

function drawLeaders(sheet: Sheet, { leader, strokeWidth }: LineAnnotation, ends: readonly Point[], away: Point): void {
  const length = lengthOf(away)
  if (leader === null || length === 0) return
  const out = times(away, 1 / length)
  for (const end of ends) {
    const points = [plus(end, times(out, leader.offset ?? 0)), plus(end, times(out, length + (leader.extension ?? 0)))]
    sheet.lines(points)
    sheet.cover(points, strokeWidth / 2)
  }
}

function drawEndings(sheet: Sheet, annotation: LineAnnotation, { from, to, along }: Run): void {
  const { lineEndings, strokeWidth, interiorColor } = annotation
  const isFilled = interiorColor !== null
  sheet.pen({ ...penOf(annotation), strokeWidth: 0 }, false)
  drawEnding(sheet, lineEndings.start, { tip: from, inwards: along, strokeWidth, isFilled })
  drawEnding(sheet, lineEndings.end, { tip: to, inwards: times(along, -1), strokeWidth, isFilled })
}

/** Position of the caption on the line, or above it in reading direction, from which the offset counts. */
function captionMiddle(
  { captionPosition, captionOffset, strokeWidth }: LineAnnotation,
  { from, to, along }: Run,
): Point {
  const isLeftwards = along.x < 0 || (along.x === 0 && along.y < 0)
  const up = times(rightOf(along), isLeftwards ? 1 : -1)
  const above = captionPosition === 'top' ? captionSize * 0.7 + strokeWidth / 2 : 0
  const aside = above + (captionOffset?.perpendicular ?? 0)
  return plus(between(from, to), plus(times(along, captionOffset?.along ?? 0), times(up, aside)))
}
