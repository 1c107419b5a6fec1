// Rings of radio buttons, from the operators that draw them.
import t from 'tap'
import { drawRing } from '../../../workers/forms/drawing/draw-mark.js'

const frame = {
  width: 30,
  height: 20,
  matrix: [1, 0, 0, 1, 0, 0],
  border: '#000000',
  background: '#ffffff',
  borderStyle: 'solid',
  dashes: [],
  borderWidth: 2,
  inset: 2,
} as never

/** Points of the curves, relative to the centre of the frame. */
const pointsOf = (path: string): readonly (readonly [number, number])[] =>
  [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)(?= (?:-?[\d.]+ -?[\d.]+ )*[mc](?:\s|$))/g)].map(([, x, y]) => [
    Number(x) - 15,
    Number(y) - 10,
  ])
const written = (points: readonly (readonly [number, number])[]) =>
  points.map(([x, y]) => `${(x + 0).toFixed(3)} ${(y + 0).toFixed(3)}`).toSorted()

t.test('a ring is the same from all four sides, and lies within the shorter one', async (t) => {
  const [filled = '', stroked = ''] = drawRing(frame).split('\n').slice(1)
  t.match(filled, / f$/)
  t.match(stroked, /^0 0 0 RG 2 w .* S$/)
  for (const path of [filled, stroked]) {
    const points = pointsOf(path).slice(1)
    t.equal(points.length, 12, 'four curves')
    t.equal(Math.max(...points.map(([x]) => x)), 9)
    const turned = points.map(([x, y]) => [-y, x] as const)
    t.same(written(turned), written(points))
  }
})
