// Draws cloudy borders (ISO 32000-2, 12.5.4): arcs along a shape that bulge outwards.
import { direction, lengthOf, minus, type Point, plus, rightOf, times } from './geometry.js'
import type { Sheet } from './sheet.js'

/** Half of the span of one arc in points, for each unit of intensity. */
const radiusPerIntensity = 4
/** Maximum number of arcs of one cloud; more would not be visible as such. */
const arcsMax = 2_000
/** Distance of control points from the chord for a semicircular arc, as a fraction of the chord. */
const bulge = 2 / 3
/** Number of corners of the polygon that approximates an ellipse. */
const ellipseCorners = 64

/** Returns how far the arcs reach beyond the shape. */
export const cloudReach = (intensity: number): number => radiusPerIntensity * intensity * 1.5

/** Draws a cloud along a closed shape. `corners`: its corners in order. */
export function drawCloud(sheet: Sheet, corners: readonly Point[], intensity: number): void {
  const outwards = isCounterClockwise(corners) ? 1 : -1
  const points = placesAlong(corners, 2 * radiusPerIntensity * intensity)
  const [first] = points
  if (first === undefined) return
  sheet.lines([first])
  for (const [index, from] of points.entries()) {
    const to = points[(index + 1) % points.length] ?? first
    const out = times(rightOf(direction(from, to)), outwards * bulge * lengthOf(minus(to, from)))
    sheet.curve(plus(from, out), plus(to, out), to)
  }
  sheet.add('h')
}

export function ellipsePoints(middle: Point, width: number, height: number): readonly Point[] {
  return Array.from({ length: ellipseCorners }, (_, index) => {
    const angle = (2 * Math.PI * index) / ellipseCorners
    return { x: middle.x + (width / 2) * Math.cos(angle), y: middle.y + (height / 2) * Math.sin(angle) }
  })
}

/** Returns points around the shape at about equal distances; corners between long sides are retained. */
function placesAlong(corners: readonly Point[], span: number): readonly Point[] {
  const lengths = corners.map((corner, index) =>
    lengthOf(minus(corners[(index + 1) % corners.length] ?? corner, corner)),
  )
  const around = lengths.reduce((sum, length) => sum + length, 0)
  const step = Math.max(span, around / arcsMax)
  if (lengths.every((length) => length < step)) return evenly(corners, lengths, Math.max(3, Math.round(around / step)))
  return corners.flatMap((corner, index) => {
    const next = corners[(index + 1) % corners.length] ?? corner
    const parts = Math.max(1, Math.round((lengths[index] ?? 0) / step))
    return Array.from({ length: parts }, (_, part) => plus(corner, times(minus(next, corner), part / parts)))
  })
}

function evenly(corners: readonly Point[], lengths: readonly number[], count: number): readonly Point[] {
  const around = lengths.reduce((sum, length) => sum + length, 0)
  const points: Point[] = []
  let [side, before] = [0, 0]
  for (let index = 0; index < count; index++) {
    const wanted = (around * index) / count
    while (side < corners.length - 1 && before + (lengths[side] ?? 0) <= wanted) before += lengths[side++] ?? 0
    const from = corners[side] ?? { x: 0, y: 0 }
    const to = corners[(side + 1) % corners.length] ?? from
    points.push(plus(from, times(direction(from, to), wanted - before)))
  }
  return points
}

function isCounterClockwise(corners: readonly Point[]): boolean {
  let area = 0
  for (const [index, { x, y }] of corners.entries()) {
    const next = corners[(index + 1) % corners.length] ?? { x, y }
    area += x * next.y - next.x * y
  }
  return area > 0
}
