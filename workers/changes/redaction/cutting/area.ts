// Filled areas without what of them lies in a convex shape. A line that goes through the shape goes round it instead, on
// its edge; the edge is then walked as often as it takes for nothing in the shape to be filled. Outside, every point is
// gone round as often as before, so that either rule fills there what it filled.
import type { Point } from '../../annotations/drawing/geometry.js'
import { type Contour, closed, type Edge } from '../content/contours.js'
import { boundsMeet, pointsOfCurve, turnsAbout } from '../crossing.js'
import { type Corners, centreOf, side } from '../region.js'
import { type Piece, piecesOutside, type Shape } from './pieces.js'
import { Rim } from './rim.js'

/** Along the edge of one shape: what a hostile spiral could make of it. */
const walksMax = 20_000

/** `contours` where nothing in the shape is filled; undefined = too much would have to be drawn. */
export function areaWithout(
  contours: readonly Contour[],
  { corners: given, tolerance }: Shape,
  isEvenOdd: boolean,
): readonly Contour[] | undefined {
  const corners = counterclockwise(given)
  const middle = centreOf(corners)
  const aside: Contour[] = []
  const crossing: (readonly Piece[])[] = []
  for (const contour of contours.map(closed)) {
    const pieces = piecesOutside(contour, { corners, tolerance })
    if (pieces === undefined) aside.push(contour)
    else crossing.push(pieces)
  }
  const rim = new Rim(corners, crossing)
  const turns = [...aside, ...crossing.flat()].reduce(
    (sum, { start, edges }) => sum + turnsOf(middle, start, edges, tolerance),
    rim.turnsAbout(middle),
  )
  if (crossing.length === 0 && (isEvenOdd ? turns % 2 : turns) === 0) return contours
  rim.unwind(turns)
  return rim.walks > walksMax ? undefined : [...aside, ...rim.contours()]
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
    // A curve that does not reach round the middle turns about it as the straight line between its ends.
    const isRound = curve !== undefined && boundsMeet([from, ...curve, to], here)
    for (const point of isRound ? pointsOfCurve(from, curve, to, tolerance) : [to]) {
      turns += turnsAbout(middle, from, point)
      from = point
    }
  }
  return turns
}
