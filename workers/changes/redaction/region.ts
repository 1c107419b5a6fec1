// What is to be redacted of a page: convex quadrilaterals in some space, usually the page's own.
import type { Matrix } from 'mupdf'
import type { PdfRect } from '../../shapes/pdf-rect.js'
import { between, boundsOf, type Point } from '../annotations/drawing/geometry.js'

/** Corners in order around it. */
export type Corners = readonly Point[]

export class Region {
  constructor(readonly parts: readonly Corners[]) {}

  get isEmpty(): boolean {
    return this.parts.length === 0
  }

  through(matrix: Matrix): Region {
    return new Region(this.parts.map((corners) => corners.map((corner) => transformed(corner, matrix))))
  }

  with(parts: readonly Corners[]): Region {
    return new Region([...this.parts, ...parts])
  }

  /** Inside of it, edges left out. */
  has(point: Point): boolean {
    return this.parts.some((corners) => isInside(corners, point))
  }

  /** They share more than an edge. */
  meets(rect: PdfRect): boolean {
    const others: Corners = [
      { x: rect.left, y: rect.bottom },
      { x: rect.right, y: rect.bottom },
      { x: rect.right, y: rect.top },
      { x: rect.left, y: rect.top },
    ]
    return this.parts.some((corners) => !areApart(corners, others) && !areApart(others, corners))
  }
}

export const transformed = ({ x, y }: Point, [a, b, c, d, e, f]: Matrix): Point => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
})

export const boundsOfParts = (parts: readonly Corners[]): PdfRect | undefined => boundsOf(parts.flat())

/** Same corners, a little inwards: what only touches an edge is not inside. */
export function shrunk(corners: Corners, share: number): Corners {
  const middle = between(corners[0] ?? origin, corners[2] ?? origin)
  return corners.map((corner) => between(corner, middle, share))
}

const origin: Point = { x: 0, y: 0 }
const tolerance = 1e-6

function isInside(corners: Corners, point: Point): boolean {
  const sides = corners.map((corner, index) => side(corner, corners[(index + 1) % corners.length] ?? corner, point))
  return sides.every((value) => value > tolerance) || sides.every((value) => value < -tolerance)
}

/** Along one of the first's edges all of the other lies on the far side. */
function areApart(corners: Corners, others: Corners): boolean {
  const turn = Math.sign(side(corners[0] ?? origin, corners[1] ?? origin, corners[2] ?? origin))
  if (turn === 0) return true
  return corners.some((corner, index) => {
    const next = corners[(index + 1) % corners.length] ?? corner
    return others.every((other) => side(corner, next, other) * turn <= tolerance)
  })
}

const side = (from: Point, to: Point, { x, y }: Point): number =>
  (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)
