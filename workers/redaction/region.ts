// A region to redact: convex shapes in some coordinate space, usually the page's user space.
import type { Matrix } from 'mupdf'
import { between, boundsOf, cornersOf, type Point } from '../annotations/drawing/geometry.js'
import type { PdfRect } from '../contract/pdf-rect.js'

/** Corners of a shape, in order around it. */
export type Corners = readonly Point[]

export class Region {
  readonly #bounds: readonly (PdfRect | undefined)[]

  constructor(readonly parts: readonly Corners[]) {
    this.#bounds = parts.map(boundsOf)
  }

  get isEmpty(): boolean {
    return this.parts.length === 0
  }

  through(matrix: Matrix): Region {
    return new Region(this.parts.map((corners) => corners.map((corner) => transformed(corner, matrix))))
  }

  /** Returns the region with every part shrunk by a distance in units of its space. */
  inset(by: number): Region {
    return new Region(
      this.parts.map((corners, index) => {
        const { left = 0, bottom = 0, right = 0, top = 0 } = this.#bounds[index] ?? {}
        const size = Math.min(right - left, top - bottom)
        return shrunk(corners, size > 0 ? Math.min(0.5, (2 * by) / size) : 0)
      }),
    )
  }

  /** True if the point is inside, edges excluded. */
  has(point: Point): boolean {
    return this.parts.some((corners, index) => {
      const bounds = this.#bounds[index]
      return bounds !== undefined && isWithin(bounds, point) && isInside(corners, point)
    })
  }

  /** Returns whether a single part of the region covers the whole rectangle. */
  contains(rect: PdfRect): boolean {
    const corners = cornersOf(rect)
    return this.parts.some((part) => {
      const only = new Region([part])
      return corners.every((corner) => only.has(corner))
    })
  }

  /** Returns the parts whose bounds intersect a box. */
  near(box: PdfRect): readonly Corners[] {
    return this.partsNear(box).map((index) => this.parts[index] ?? [])
  }

  /** Same as `near`; returns the indices of the parts. */
  partsNear({ left, bottom, right, top }: PdfRect): readonly number[] {
    let indices: number[] | undefined
    for (let index = 0; index < this.#bounds.length; index++) {
      const bounds = this.#bounds[index]
      if (bounds === undefined || bounds.left > right || bounds.right < left) continue
      if (bounds.bottom > top || bounds.top < bottom) continue
      indices ??= []
      indices.push(index)
    }
    return indices ?? none
  }

  /** True if they share more than an edge. */
  meets(rect: PdfRect): boolean {
    return this.touches(cornersOf(rect))
  }

  /** True if a convex shape meets the region, see `meets`. */
  touches(shape: Corners): boolean {
    return this.partsTouching(shape).length > 0
  }

  /** Returns the indices of the parts that a convex shape meets. */
  partsTouching(shape: Corners): readonly number[] {
    const bounds = boundsOf(shape)
    const near = bounds === undefined ? [] : this.partsNear(bounds)
    return near.filter((index) => {
      const corners = this.parts[index] ?? []
      return !areApart(corners, shape) && !areApart(shape, corners)
    })
  }
}

/** Returns the bounds of a rectangle under a matrix. There are very many glyphs, so nothing else is made for each. */
export function placedBounds({ left, bottom, right, top }: PdfRect, [a, b, c, d, e, f]: Matrix): PdfRect {
  const [x, y] = [(left + right) / 2, (bottom + top) / 2]
  const [wide, high] = [(right - left) / 2, (top - bottom) / 2]
  const [middleX, middleY] = [a * x + c * y + e, b * x + d * y + f]
  const [reachX, reachY] = [Math.abs(a * wide) + Math.abs(c * high), Math.abs(b * wide) + Math.abs(d * high)]
  return { left: middleX - reachX, bottom: middleY - reachY, right: middleX + reachX, top: middleY + reachY }
}

export const transformed = ({ x, y }: Point, [a, b, c, d, e, f]: Matrix): Point => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
})

/** Returns the shape shrunk towards its centre, so that touching an edge does not count as inside. */
export function shrunk(corners: Corners, share: number): Corners {
  const middle = centreOf(corners)
  return corners.map((corner) => between(corner, middle, share))
}

export const centreOf = (corners: Corners): Point => ({
  x: corners.reduce((sum, { x }) => sum + x, 0) / corners.length,
  y: corners.reduce((sum, { y }) => sum + y, 0) / corners.length,
})

/** Returns the convex hull of points in any order; empty if they enclose no area. */
export function convexHull(points: readonly Point[]): Corners {
  const sorted = points.toSorted((one, other) => one.x - other.x || one.y - other.y)
  const corners = [...half(sorted), ...half(sorted.toReversed())]
  return corners.length > 2 ? corners : []
}

/** Returns the half of the hull from one end to the other that is to the right of the points between. */
function half(points: readonly Point[]): readonly Point[] {
  const retained: Point[] = []
  for (const point of points) {
    for (;;) {
      const [before, last] = retained.slice(-2)
      if (before === undefined || last === undefined || side(before, last, point) > 0) break
      retained.pop()
    }
    retained.push(point)
  }
  return retained.slice(0, -1)
}

const none: readonly number[] = []
const origin: Point = { x: 0, y: 0 }
const tolerance = 1e-6

const isWithin = ({ left, bottom, right, top }: PdfRect, { x, y }: Point): boolean =>
  x >= left && x <= right && y >= bottom && y <= top

function isInside(corners: Corners, point: Point): boolean {
  const sides = corners.map((corner, index) => side(corner, corners[(index + 1) % corners.length] ?? corner, point))
  return sides.every((value) => value > tolerance) || sides.every((value) => value < -tolerance)
}

/** True if an edge of the first shape separates it from the other. */
function areApart(corners: Corners, others: Corners): boolean {
  const turn = Math.sign(side(corners[0] ?? origin, corners[1] ?? origin, corners[2] ?? origin))
  if (turn === 0) return true
  return corners.some((corner, index) => {
    const next = corners[(index + 1) % corners.length] ?? corner
    return others.every((other) => side(corner, next, other) * turn <= tolerance)
  })
}

/** Returns a positive number if the point is to the left of the directed line. */
export const side = (from: Point, to: Point, { x, y }: Point): number =>
  (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)
