// Determines whether a path that the engine draws has ink in a region, beyond its bounding box. Judges by geometry
// alone and shares no code with the removal of paths from content.
import type { Matrix, Path, StrokeState } from 'mupdf'
import { boundsOf, cornersOf, direction, outset, type Point } from '../annotations/drawing/geometry.js'
import { type Contour, closed, PathBuilder } from './content/contours.js'
import { pointsOfCurve, shareInside, turnsAbout } from './crossing.js'
import { inkReach, joinShape, lineShape, type Pen } from './cutting/pen-ink.js'
import { centreOf, Region, transformed } from './region.js'

/** Maximum distance, in the region's space, between a curve and its straight lines; also the least line width. */
const tolerance = 0.02
/** Maximum number of comparisons, points times shapes; no real path is known to need more. */
const comparisonsMax = 20_000_000

export function areaReaches(path: Path, isEvenOdd: boolean, ctm: Matrix, region: Region): boolean {
  const lines = contoursOf(path).map((contour) => pointsOf(closed(contour), ctm).map((one) => transformed(one, ctm)))
  const parts = partsNear(lines, region)
  if (lines.flat().length * parts.length > comparisonsMax) return true
  return parts.some((corners) => {
    const middle = centreOf(corners)
    let turns = 0
    for (const line of lines) {
      for (const [index, to] of line.entries()) {
        const from = line[index - 1] ?? to
        const [enters, leaves] = shareInside(from, to, corners)
        if (enters < leaves) return true
        turns += turnsAbout(middle, from, to)
      }
    }
    // If no edge crosses the shape, it is filled either entirely or not at all.
    return (isEvenOdd ? turns % 2 : turns) !== 0
  })
}

export function lineReaches(path: Path, stroke: StrokeState, ctm: Matrix, region: Region): boolean {
  const pen = penOf(stroke, tolerance / scaleOf(ctm))
  const lines = contoursOf(path).map((contour) => ({ points: pointsOf(contour, ctm), isClosed: contour.isClosed }))
  const bounds = boundsOf(lines.flatMap(({ points }) => points))
  if (bounds === undefined) return false
  const around = cornersOf(outset(bounds, inkReach(pen))).map((corner) => transformed(corner, ctm))
  const near = new Region(partsNear([around], region))
  if (lines.flatMap(({ points }) => points).length * near.parts.length > comparisonsMax) return true
  const isInside = (shape: readonly Point[]): boolean => near.touches(shape.map((one) => transformed(one, ctm)))
  return near.parts.length > 0 && lines.some(({ points, isClosed }) => inkOf(points, isClosed, pen).some(isInside))
}

function inkOf(points: readonly Point[], isClosed: boolean, pen: Pen): readonly (readonly Point[])[] {
  const ways = points.slice(1).flatMap((to, index) => {
    const from = points[index] ?? to
    return from.x === to.x && from.y === to.y && points.length > 2 ? [] : [{ from, to, along: direction(from, to) }]
  })
  return ways.flatMap(({ from, to, along }, index) => {
    const before = index > 0 ? ways[index - 1] : isClosed ? ways.at(-1) : undefined
    const shape = lineShape(from, to, along, pen)
    return before === undefined ? [shape] : [shape, joinShape(from, before.along, along, pen)]
  })
}

export const outlinePoints = (path: Path, ctm: Matrix): readonly Point[] =>
  contoursOf(path).flatMap((contour) => pointsOf(contour, ctm))

const partsNear = (lines: readonly (readonly Point[])[], region: Region) => {
  const bounds = boundsOf(lines.flat())
  return bounds === undefined ? [] : region.near(bounds)
}

function contoursOf(path: Path): readonly Contour[] {
  const builder = new PathBuilder()
  path.walk({
    moveTo: (...to) => void builder.take('m', to),
    lineTo: (...to) => void builder.take('l', to),
    curveTo: (...points) => void builder.take('c', points),
    closePath: () => builder.close(),
  })
  return builder.contours
}

/** Returns the points of a contour in its own coordinate space, with flatness measured under `ctm`. */
function pointsOf({ start, edges }: Contour, ctm: Matrix): readonly Point[] {
  const points = [start]
  for (const { to, curve } of edges) {
    if (curve === undefined) points.push(to)
    else points.push(...pointsOfCurve(points.at(-1) ?? start, curve, to, tolerance / scaleOf(ctm)))
  }
  return points
}

const scaleOf = ([a, b, c, d]: Matrix): number => Math.max(Math.hypot(a, b), Math.hypot(c, d))

const penOf = (stroke: StrokeState, thinnest: number): Pen => ({
  width: Math.max(stroke.getLineWidth(), thinnest),
  cap: stroke.getLineCap(),
  join: stroke.getLineJoin(),
  miterLimit: stroke.getMiterLimit(),
  dashes: [],
  dashPhase: 0,
})
