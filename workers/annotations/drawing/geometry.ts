// Points and boxes of drawings, in user space: y up.
import type { PdfRect } from '../../contract/pdf-rect.js'

export interface Point {
  readonly x: number
  readonly y: number
}

export const plus = (one: Point, other: Point): Point => ({ x: one.x + other.x, y: one.y + other.y })
export const minus = (one: Point, other: Point): Point => ({ x: one.x - other.x, y: one.y - other.y })
export const times = ({ x, y }: Point, factor: number): Point => ({ x: x * factor, y: y * factor })
export const lengthOf = ({ x, y }: Point): number => Math.hypot(x, y)
export const between = (one: Point, other: Point, share = 0.5): Point => plus(one, times(minus(other, one), share))

/** Returns the unit vector from one point to another; the one to the right if they are equal. */
export function direction(from: Point, to: Point): Point {
  const difference = minus(to, from)
  const length = lengthOf(difference)
  return length > 0 ? times(difference, 1 / length) : { x: 1, y: 0 }
}

/** Returns the vector rotated clockwise by 90 degrees. */
export const rightOf = ({ x, y }: Point): Point => ({ x: y, y: -x })

export const middleOf = ({ left, bottom, right, top }: PdfRect): Point => ({
  x: (left + right) / 2,
  y: (bottom + top) / 2,
})

export function cornersOf({ left, bottom, right, top }: PdfRect): readonly Point[] {
  return [
    { x: left, y: bottom },
    { x: right, y: bottom },
    { x: right, y: top },
    { x: left, y: top },
  ]
}

export const outset = ({ left, bottom, right, top }: PdfRect, by: number): PdfRect => ({
  left: left - by,
  bottom: bottom - by,
  right: right + by,
  top: top + by,
})

/** Returns undefined for an empty list. */
export function boundsOf(points: readonly Point[]): PdfRect | undefined {
  const [first, ...others] = points
  if (first === undefined) return undefined
  let [left, bottom, right, top] = [first.x, first.y, first.x, first.y]
  for (const { x, y } of others) {
    left = Math.min(left, x)
    bottom = Math.min(bottom, y)
    right = Math.max(right, x)
    top = Math.max(top, y)
  }
  return { left, bottom, right, top }
}

/** Returns a rotation about a point; degrees clockwise. */
export function turnedAbout(middle: Point, degrees: number): (point: Point) => Point {
  const { cosine, sine } = ratiosOf(degrees)
  return (point) => {
    const { x, y } = minus(point, middle)
    return { x: middle.x + x * cosine + y * sine, y: middle.y - x * sine + y * cosine }
  }
}

/** Returns cosine and sine, without rounding errors for multiples of 90 degrees. */
export function ratiosOf(degrees: number): { readonly cosine: number; readonly sine: number } {
  const quarters = degrees / 90
  if (!Number.isInteger(quarters)) {
    const radians = (degrees * Math.PI) / 180
    return { cosine: Math.cos(radians), sine: Math.sin(radians) }
  }
  const index = ((quarters % 4) + 4) % 4
  return { cosine: [1, 0, -1, 0][index] ?? 1, sine: [0, 1, 0, -1][index] ?? 0 }
}
