// Intersections of straight lines and curves with a convex shape.

import { between, boundsOf, minus, type Point, plus, times } from '../annotations/drawing/geometry.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import { type Corners, centreOf, side } from './region.js'

/**
 * Returns which share of a line segment is inside the shape, its edges excluded, as start and end between 0 and 1; the
 * start is not less than the end if none of it is inside.
 */
export function shareInside(from: Point, to: Point, corners: Corners): readonly [number, number] {
  let [enters, leaves] = [0, 1]
  const middle = centreOf(corners)
  for (const [index, corner] of corners.entries()) {
    const next = corners[(index + 1) % corners.length] ?? corner
    const turn = Math.sign(side(corner, next, middle))
    const [start, end] = [side(corner, next, from) * turn, side(corner, next, to) * turn]
    if (start <= 0 && end <= 0) return [1, 0]
    if (start < 0) enters = Math.max(enters, start / (start - end))
    if (end < 0) leaves = Math.min(leaves, start / (start - end))
  }
  return [enters, leaves]
}

const piecesMax = 256

/**
 * Yields points of a curve after its start, so close together that straight lines between them stay within `tolerance`.
 */
export function pointsOfCurve(
  from: Point,
  [one, two]: readonly [Point, Point],
  end: Point,
  tolerance: number,
): Point[] {
  const bend = Math.max(bentBy(from, one, two), bentBy(one, two, end))
  const count = Math.ceil(Math.sqrt((0.75 * bend) / tolerance))
  const pieces = Number.isFinite(count) ? Math.min(piecesMax, Math.max(1, count)) : 1
  return Array.from({ length: pieces }, (_, piece) => {
    if (piece === pieces - 1) return end
    const share = (piece + 1) / pieces
    const [first, second, third] = [between(from, one, share), between(one, two, share), between(two, end, share)]
    return between(between(first, second, share), between(second, third, share), share)
  })
}

const bentBy = (one: Point, two: Point, three: Point): number => {
  const { x, y } = minus(plus(one, three), times(two, 2))
  return Math.hypot(x, y)
}

export function boundsMeet(points: readonly Point[], { left, bottom, right, top }: PdfRect, reach = 0): boolean {
  const bounds = boundsOf(points)
  if (bounds === undefined) return false
  return (
    bounds.left - reach <= right &&
    bounds.right + reach >= left &&
    bounds.bottom - reach <= top &&
    bounds.top + reach >= bottom
  )
}

/** Returns the contribution of one edge to the winding number of a closed line around a point, counterclockwise. */
export function turnsAbout({ x, y }: Point, from: Point, to: Point): -1 | 0 | 1 {
  const isUp = to.y > y
  if (from.y > y === isUp) return 0
  if (from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x) <= x) return 0
  return isUp ? 1 : -1
}

/** Returns the corners between two heights, and the intersections of sides with these heights. */
export function betweenHeights(corners: Corners, bottom: number, top: number): readonly Point[] {
  return corners.flatMap((corner, index) => {
    const next = corners[(index + 1) % corners.length] ?? corner
    const crossings = [bottom, top].flatMap((height) => {
      const share = (height - corner.y) / (next.y - corner.y)
      return share > 0 && share < 1 ? [between(corner, next, share)] : []
    })
    return corner.y >= bottom && corner.y <= top ? [corner, ...crossings] : crossings
  })
}
