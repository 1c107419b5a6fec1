// Quads of text in user space, and lines along them.

import type { Color } from '../../contract/color.js'
import type { PageQuad } from '../../contract/page-quad.js'
import type { PageSpace } from '../../document/page-space.js'
import { number, strokeColor } from '../../text/content-operands.js'
import { between, lengthOf, minus, type Point } from './geometry.js'
import type { Sheet } from './sheet.js'

interface MarkedText {
  readonly color: Color
  readonly quadPoints: readonly PageQuad[]
}

interface Quad {
  readonly upperLeft: Point
  readonly upperRight: Point
  readonly lowerLeft: Point
  readonly lowerRight: Point
}

/** Thickness of lines as a fraction of the text height. */
const lineShare = 1 / 16
/** Draws lines over quads. `share`: height of the line above the lower side, as a fraction of the text height. */
export const drawLineOver =
  (share: number) =>
  (sheet: Sheet, { color, quadPoints }: MarkedText, space: PageSpace): void => {
    sheet.add(strokeColor(color))
    for (const quad of userQuads(quadPoints, space)) {
      const width = lineWidthOf(quad)
      const from = between(quad.lowerLeft, quad.upperLeft, share)
      const to = between(quad.lowerRight, quad.upperRight, share)
      sheet.add(`${number(width)} w`)
      sheet.lines([from, to])
      sheet.add('S')
      coverQuad(sheet, quad)
    }
  }

/** Returns the line width: at least half a point, so that lines are visible at any size. */
export const lineWidthOf = ({ upperLeft, lowerLeft }: Quad): number =>
  Math.max(0.5, lengthOf(minus(upperLeft, lowerLeft)) * lineShare)

export function coverQuad(sheet: Sheet, quad: Quad): void {
  sheet.cover([quad.upperLeft, quad.upperRight, quad.lowerLeft, quad.lowerRight])
}

export const userQuads = (quads: readonly PageQuad[], space: PageSpace): readonly Quad[] =>
  quads.map(({ upperLeft, upperRight, lowerLeft, lowerRight }) => ({
    upperLeft: space.toUserPoint(upperLeft),
    upperRight: space.toUserPoint(upperRight),
    lowerLeft: space.toUserPoint(lowerLeft),
    lowerRight: space.toUserPoint(lowerRight),
  }))
