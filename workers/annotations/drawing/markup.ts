// Marks on text: one path for all quads, so that where they overlap nothing is marked twice.

import type { Color } from '../../contract/color.js'
import type { PageQuad } from '../../contract/page-quad.js'
import type { PageSpace } from '../../document/page-space.js'
import { fillColor, number, strokeColor } from '../../text/content.js'
import { between, direction, lengthOf, minus, type Point, plus, times } from './geometry.js'
import type { Sheet } from './sheet.js'

interface Marked {
  readonly color: Color
  readonly quadPoints: readonly PageQuad[]
}

interface Quad {
  readonly upperLeft: Point
  readonly upperRight: Point
  readonly lowerLeft: Point
  readonly lowerRight: Point
}

/** Of the height of the text: how thick its lines are. */
const lineShare = 1 / 16
/** Zigzags of one squiggly line; more would not be seen as such. */
const zigzagsMax = 2_000

export function drawHighlight(sheet: Sheet, { color, quadPoints }: Marked, space: PageSpace): void {
  sheet.add(fillColor(color))
  for (const quad of userQuads(quadPoints, space)) {
    const corners = [quad.upperLeft, quad.upperRight, quad.lowerRight, quad.lowerLeft]
    sheet.lines(corners)
    sheet.add('h')
    sheet.cover(corners)
  }
  sheet.add('f')
}

/** `share`: how high above the lower side the line runs. */
export const drawLineOver =
  (share: number) =>
  (sheet: Sheet, { color, quadPoints }: Marked, space: PageSpace): void => {
    sheet.add(strokeColor(color))
    for (const quad of userQuads(quadPoints, space)) {
      const width = widthOf(quad)
      const from = between(quad.lowerLeft, quad.upperLeft, share)
      const to = between(quad.lowerRight, quad.upperRight, share)
      sheet.add(`${number(width)} w`)
      sheet.lines([from, to])
      sheet.add('S')
      coverQuad(sheet, quad)
    }
  }

export function drawSquiggly(sheet: Sheet, { color, quadPoints }: Marked, space: PageSpace): void {
  sheet.add(strokeColor(color), '1 j')
  for (const quad of userQuads(quadPoints, space)) {
    const width = widthOf(quad)
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

/** What is to be removed is framed, and stays readable. */
export function drawRegions(sheet: Sheet, color: Color, corners: readonly (readonly Point[])[]): void {
  sheet.add(strokeColor(color), '1 w')
  for (const points of corners) {
    sheet.lines(points)
    sheet.add('s')
    sheet.cover(points, 0.75)
  }
}

/** Lines are no thinner than half a point, so that they show at any size. */
const widthOf = ({ upperLeft, lowerLeft }: Quad): number =>
  Math.max(0.5, lengthOf(minus(upperLeft, lowerLeft)) * lineShare)

function coverQuad(sheet: Sheet, quad: Quad): void {
  sheet.cover([quad.upperLeft, quad.upperRight, quad.lowerLeft, quad.lowerRight])
}

export const userQuads = (quads: readonly PageQuad[], space: PageSpace): readonly Quad[] =>
  quads.map(({ upperLeft, upperRight, lowerLeft, lowerRight }) => ({
    upperLeft: space.toUserPoint(upperLeft),
    upperRight: space.toUserPoint(upperRight),
    lowerLeft: space.toUserPoint(lowerLeft),
    lowerRight: space.toUserPoint(lowerRight),
  }))
