// Removes a convex shape from filled areas. A line that crosses the shape is routed around it on its edge; the edge is
// then walked as many times as it takes for the winding number to be zero inside the shape. Outside, winding numbers
// are unchanged, so either fill rule fills the same area as before.
import type { Point } from '../../annotations/drawing/geometry.js'
import { type Contour, closed, type Edge } from '../content/contours.js'
import { boundsMeet, pointsOfCurve, turnsAbout } from '../crossing.js'
import { type Corners, centreOf, side } from '../region.js'
import { type Piece, piecesOutside, type Shape } from './outline-pieces.js'
import { Rim } from './rim.js'

/** Maximum number of walks along the edge of one shape, against hostile spirals. */
const walksMax = 20_000

/** Returns `contours` without any filled area in the shape; undefined if the result would be too large to draw. */
export function areaWithout(
  contours: readonly Contour[],
  { corners: given, tolerance }: Shape,
  isEvenOdd: boolean,
): readonly Contour[] | undefined {
  const corners = counterclockwise(given)
  const middle = centreOf(corners)
  const uncrossed: Contour[] = []
  const crossing: (readonly Piece[])[] = []
  for (const contour of contours.map(closed)) {
    const pieces = piecesOutside(contour, { corners, tolerance })
    if (pieces === undefined) uncrossed.push(contour)
    else crossing.push(pieces)
  }
  const rim = new Rim(corners, crossing)
  const turns = [...uncrossed, ...crossing.flat()].reduce(
    (sum, { start, edges }) => sum + turnsOf(middle, start, edges, tolerance),
    rim.turnsAbout(middle),
  )
  if (crossing.length === 0 && (isEvenOdd ? turns % 2 : turns) === 0) return contours
  rim.unwind(turns)
  return rim.walks > walksMax ? undefined : [...uncrossed, ...rim.contours()]
}

function counterclockwise(corners: Corners): Corners {
  const middle = centreOf(corners)
  const next = (index: number): Point => corners[(index + 1) % corners.length] ?? middle
  const area = corners.reduce((sum, corner, index) => sum + side(corner, next(index), middle), 0)
  return area < 0 ? corners.toReversed() : corners
}

function turnsOf(middle: Point, start: Point, edges: readonly Edge[], tolerance: number): number {
  const here = { left: middle.x, right: middle.x, bottom: middle.y, top: middle.y }
  let [turns, from] = [0, start]
  for (const { to, curve } of edges) {
    // A curve that does not enclose the centre turns around it as much as the straight line between its ends.
    const isRound = curve !== undefined && boundsMeet([from, ...curve, to], here)
    for (const point of isRound ? pointsOfCurve(from, curve, to, tolerance) : [to]) {
      turns += turnsAbout(middle, from, point)
      from = point
    }
  }
  return turns
}
