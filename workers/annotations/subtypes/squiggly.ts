// Zigzag lines under text.
import { Squiggly, type SquigglyAnnotation } from '../../contract/annotations/squiggly.js'
import type { PageSpace } from '../../document/page-space.js'
import { number, strokeColor } from '../../text/content-operands.js'
import { between, direction, lengthOf, minus, plus, times } from '../drawing/geometry.js'
import { coverQuad, lineWidthOf, userQuads } from '../drawing/quads.js'
import type { Sheet } from '../drawing/sheet.js'
import { quadsOf } from '../reading/quads.js'
import { colourOf } from '../reading/shared-members.js'
import { subtypeWork } from '../subtype-work.js'
import { colourGroups, quadsGroup } from '../writing/shared-members.js'
import { red } from '../writing/standards.js'

/** Maximum number of zigzags of one line; more would not be visible as such. */
const zigzagsMax = 2_000

export const work = subtypeWork(Squiggly, {
  shape: 'drawn',
  standard: { color: red, opacity: 1 },
  read: (source, common) => ({ subtype: 'squiggly', ...common, ...colourOf(source), ...quadsOf(source) }),
  groups: [...colourGroups, quadsGroup],
  draw: (sheet, state, { space }) => drawZigzags(sheet, state, space),
})

function drawZigzags(sheet: Sheet, { color, quadPoints }: SquigglyAnnotation, space: PageSpace): void {
  sheet.add(strokeColor(color), '1 j')
  for (const quad of userQuads(quadPoints, space)) {
    const width = lineWidthOf(quad)
    const up = direction(quad.lowerLeft, quad.upperLeft)
    const length = lengthOf(minus(quad.lowerRight, quad.lowerLeft))
    const count = Math.min(zigzagsMax, Math.max(1, Math.ceil(length / (2 * width))))
    const points = Array.from({ length: count + 1 }, (_, index) =>
      plus(between(quad.lowerLeft, quad.lowerRight, index / count), times(up, width * (index % 2 === 0 ? 1 : 2.5))),
    )
    sheet.add(`${number(width)} w`)
    sheet.lines(points)
    sheet.add('S')
    coverQuad(sheet, quad)
  }
}
