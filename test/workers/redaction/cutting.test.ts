// Cutting areas and lines at convex shapes leaves nothing inside and everything outside unchanged.
import fc from 'fast-check'
import t from 'tap'
import { type Contour, closed } from '../../../workers/redaction/content/contours.js'
import { pointsOfCurve, shareInside, turnsAbout } from '../../../workers/redaction/crossing.js'
import { areaWithout } from '../../../workers/redaction/cutting/cut-area.js'
import { convexHull, Region } from '../../../workers/redaction/region.js'

const tolerance = 0.05
const place = fc.record({ x: fc.integer({ min: 0, max: 20 }), y: fc.integer({ min: 0, max: 20 }) })
const edge = fc.record({ to: place, curve: fc.option(fc.tuple(place, place), { nil: undefined, freq: 3 }) })
const contour = fc.record({
  start: place,
  edges: fc.array(edge, { minLength: 1, maxLength: 8 }),
  isClosed: fc.constant(false),
})
const shape = fc
  .array(place, { minLength: 3, maxLength: 6 })
  .map(convexHull)
  .filter(({ length }) => length > 2)

type Point = { readonly x: number; readonly y: number }

const linesOf = ({ start, edges }: Contour): readonly Point[] => {
  const points: Point[] = [start]
  for (const { to, curve } of edges) {
    const from = points.at(-1) ?? start
    points.push(...(curve === undefined ? [to] : pointsOfCurve(from, curve, to, tolerance)))
  }
  return points
}

const turnsOf = (lines: readonly (readonly Point[])[], middle: Point): number => {
  let turns = 0
  for (const points of lines) {
    for (const [index, to] of points.entries()) turns += turnsAbout(middle, points[index - 1] ?? to, to)
  }
  return turns
}

/** Sample points off the grid on which line points lie. */
const probes: readonly Point[] = Array.from({ length: 100 }, (_, index) => ({
  x: (index % 10) * 2 + 0.337,
  y: Math.floor(index / 10) * 2 + 0.719,
}))

const isNear = (lines: readonly (readonly Point[])[], { x, y }: Point, reach: number): boolean => {
  const box = [
    { x: x - reach, y: y - reach },
    { x: x + reach, y: y - reach },
    { x: x + reach, y: y + reach },
    { x: x - reach, y: y + reach },
  ]
  return lines.some((points) => points.some((to, index) => crosses(points[index - 1] ?? to, to, box)))
}

const crosses = (from: Point, to: Point, corners: readonly Point[], least = 0): boolean => {
  const [enters, leaves] = shareInside(from, to, corners)
  return (leaves - enters) * Math.hypot(to.x - from.x, to.y - from.y) > least
}

const contours = fc.array(contour, { minLength: 1, maxLength: 4 })
const shapes = fc.array(shape, { minLength: 1, maxLength: 3 })

t.test('cutting any area leaves nothing inside any shapes and everything outside', (t) => {
  fc.assert(
    fc.property(contours, shapes, fc.boolean(), (contours, shapes, isEvenOdd) => {
      let left: readonly Contour[] = contours
      for (const corners of shapes) left = areaWithout(left, { corners, tolerance }, isEvenOdd) ?? []
      const region = new Region(shapes)
      const outlines = shapes.map((corners) => [...corners, ...corners.slice(0, 1)])
      const well = region.inset(0.001)
      const [before, after] = [contours, left].map((some) => some.map(closed).map(linesOf))
      if (before === undefined || after === undefined) return
      const isFilled = (turns: number) => (isEvenOdd ? turns % 2 : turns) !== 0
      for (const probe of probes) {
        // On an edge of a shape, rounding decides on which side a place is.
        if (isNear(before, probe, 0.1) || isNear(outlines, probe, 0.001)) continue
        const expected = !region.has(probe) && isFilled(turnsOf(before, probe))
        if (isFilled(turnsOf(after, probe)) !== expected)
          throw new Error(`${probe.x} ${probe.y} must${expected ? '' : ' not'} be filled`)
      }
      if (left === contours) return
      for (const points of after) {
        for (const [index, to] of points.entries()) {
          const isCrossing = well.parts.some((corners) => crosses(points[index - 1] ?? to, to, corners, 0.01))
          if (isCrossing) throw new Error(`A line to ${to.x} ${to.y} crosses the shape`)
        }
      }
    }),
    { numRuns: 100 },
  )
  t.end()
})
