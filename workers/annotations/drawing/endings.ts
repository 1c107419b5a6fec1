// Draws line endings (ISO 32000-2, table 179), whose sizes grow with the line width.
import type { LineEnding } from '../../contract/line-ending.js'
import { type Point, plus, rightOf, times } from './geometry.js'
import type { Sheet } from './sheet.js'

interface End {
  readonly tip: Point
  /** Unit vector from the tip back along the line. */
  readonly inwards: Point
  readonly strokeWidth: number
  readonly isFilled: boolean
}

const arrowLength = 8.8
const arrowHalf = 4.5
const rootOfThree = Math.sqrt(3)

/** Point of an ending: `along` the line from its tip, and `aside` of it. */
type Local = (along: number, aside: number) => Point

interface Shape {
  /** Size in points for each point of line width, and for lines thinner than a point. */
  readonly reach: number
  draw(sheet: Sheet, local: Local, end: End): void
}

const arrow = (sign: number, isClosed: boolean): Shape => ({
  reach: 10,
  draw(sheet, local, { isFilled }) {
    sheet.lines([local(sign * arrowLength, arrowHalf), local(0, 0), local(sign * arrowLength, -arrowHalf)])
    sheet.add(isClosed ? (isFilled ? 'b' : 's') : 'S')
  },
})

const shapes: Readonly<Partial<Record<LineEnding, Shape>>> = {
  square: closed([
    [-2.5, -2.5],
    [2.5, -2.5],
    [2.5, 2.5],
    [-2.5, 2.5],
  ]),
  diamond: closed([
    [-3, 0],
    [0, 3],
    [3, 0],
    [0, -3],
  ]),
  circle: {
    reach: 3,
    draw(sheet, _local, { tip, strokeWidth, isFilled }) {
      const radius = 2.5 * Math.max(1, strokeWidth)
      sheet.ellipse({ left: tip.x - radius, bottom: tip.y - radius, right: tip.x + radius, top: tip.y + radius })
      sheet.add(isFilled ? 'b' : 's')
    },
  },
  'open-arrow': arrow(1, false),
  'closed-arrow': arrow(1, true),
  'r-open-arrow': arrow(-1, false),
  'r-closed-arrow': arrow(-1, true),
  butt: open([
    [0, -3],
    [0, 3],
  ]),
  slash: open([
    [-2.5, -2.5 * rootOfThree],
    [2.5, 2.5 * rootOfThree],
  ]),
}

/** Draws an ending with the current pen; endings are not dashed. */
export function drawEnding(sheet: Sheet, ending: LineEnding, end: End): void {
  const shape = shapes[ending]
  if (shape === undefined) return
  const size = Math.max(1, end.strokeWidth)
  const aside = rightOf(end.inwards)
  sheet.inside('[] 0 d 0 j', () =>
    shape.draw(
      sheet,
      (along, to) => plus(end.tip, plus(times(end.inwards, along * size), times(aside, to * size))),
      end,
    ),
  )
  // Mitred corners extend beyond their points.
  sheet.cover([end.tip], shape.reach * size + 2 * end.strokeWidth)
}

function closed(points: readonly (readonly [number, number])[]): Shape {
  return {
    reach: 4,
    draw(sheet, local, { isFilled }) {
      sheet.lines(points.map(([along, aside]) => local(along, aside)))
      sheet.add(isFilled ? 'b' : 's')
    },
  }
}

function open(points: readonly (readonly [number, number])[]): Shape {
  return {
    reach: 5,
    draw(sheet, local) {
      sheet.lines(points.map(([along, aside]) => local(along, aside)))
      sheet.add('S')
    },
  }
}
