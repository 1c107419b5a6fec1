// Shapes of the ink that a pen draws at line ends and joins (ISO 32000-2, 8.4.3), in the space of its line width.
import { minus, type Point, plus, rightOf, times } from '../../annotations/drawing/geometry.js'
import type { Corners } from '../region.js'

export interface Pen {
  readonly width: number
  /** Line cap style: 0 = butt, 1 = round, 2 = square. */
  readonly cap: number
  /** Line join style: 0 = miter, 1 = round, 2 = bevel. */
  readonly join: number
  readonly miterLimit: number
  /** Dash array; empty for an unbroken line. */
  readonly dashes: readonly number[]
  readonly dashPhase: number
}

const circleCorners = 16

/** Returns the distance that ink extends beyond the end of a line. */
export const overhang = ({ cap, width }: Pen): number => (cap === 0 ? 0 : width / 2)

/** Returns the maximum distance between ink and the line. */
export const inkReach = ({ width, join, miterLimit }: Pen): number =>
  (width / 2) * Math.max(join === 0 ? miterLimit : 1, Math.SQRT2)

/** Returns the shape of the join between two directions, without the line segments themselves. */
export function joinShape(point: Point, before: Point, after: Point, pen: Pen): Corners {
  const half = pen.width / 2
  if (pen.join === 1) return circle(point, half)
  const turn = before.x * after.y - before.y * after.x
  // The outer side of a join is on the right where the line turns left.
  const reach = turn > 0 ? half : -half
  const [one, two] = [plus(point, times(rightOf(before), reach)), plus(point, times(rightOf(after), reach))]
  const middle = plus(rightOf(before), rightOf(after))
  const squared = middle.x * middle.x + middle.y * middle.y
  // The miter length is 2 / |middle|, in line widths.
  const isMiter = pen.join === 0 && squared > 0 && 4 / squared <= pen.miterLimit * pen.miterLimit
  if (!isMiter) return [point, one, two]
  return [point, one, plus(point, times(middle, (2 * reach) / squared)), two]
}

/** Returns a polygon that contains the circle and is slightly larger. */
export function circle(middle: Point, radius: number): Corners {
  const reach = radius / Math.cos(Math.PI / circleCorners)
  return Array.from({ length: circleCorners }, (_, index) => {
    const angle = (2 * Math.PI * index) / circleCorners
    return plus(middle, { x: reach * Math.cos(angle), y: reach * Math.sin(angle) })
  })
}

/** Returns the shape of a straight line including its caps. */
export function lineShape(from: Point, to: Point, along: Point, pen: Pen): Corners {
  const [aside, over] = [times(rightOf(along), pen.width / 2), times(along, overhang(pen))]
  const [begin, end] = [minus(from, over), plus(to, over)]
  return [plus(begin, aside), plus(end, aside), minus(end, aside), minus(begin, aside)]
}
