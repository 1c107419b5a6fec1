// Determines whether a path that the engine draws has ink in a region, beyond its bounding box. Judges by geometry
// alone and shares no code with the removal of paths from content.
import type { Matrix, Path, StrokeState } from 'mupdf'
import { direction, type Point } from '../annotations/drawing/geometry.js'
import { type Contour, closed, PathBuilder } from './content/contours.js'
import { pointsOfCurve, shareInside, turnsAbout } from './crossing.js'
import { joinShape, lineShape, type Pen } from './cutting/pen-ink.js'
import { type Corners, centreOf, Region, transformed } from './region.js'

/** Maximum distance, in the region's space, between a curve and its straight lines; also the least line width. */
const tolerance = 0.02
/** Maximum number of comparisons, points times shapes; no real path is known to need more. */
const comparisonsMax = 20_000_000

const nowhere: ReadonlySet<number> = new Set()

/** Returns which parts of the region, of those that are near, have ink of a filled path. */
export function partsWithArea(
  path: Path,
  isEvenOdd: boolean,
  ctm: Matrix,
  { parts }: Region,
  near: readonly number[],
): ReadonlySet<number> {
  if (near.length === 0) return nowhere
  const lines = contoursOf(path).map((contour) => pointsOf(closed(contour), ctm).map((one) => transformed(one, ctm)))
  if (lines.flat().length * near.length > comparisonsMax) return new Set(near)
  const reaches = (corners: Corners): boolean => {
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
  }
  return new Set(near.filter((part) => reaches(parts[part] ?? [])))
}

/** Returns which parts of the region, of those that are near, have ink of a stroked path. */
export function partsWithLine(
  path: Path,
  stroke: StrokeState,
  ctm: Matrix,
  { parts }: Region,
  near: readonly number[],
): ReadonlySet<number> {
  if (near.length === 0) return nowhere
  const pen = penOf(stroke, tolerance / scaleOf(ctm))
  const lines = contoursOf(path).map((contour) => ({ points: pointsOf(contour, ctm), isClosed: contour.isClosed }))
  if (lines.flatMap(({ points }) => points).length * near.length > comparisonsMax) return new Set(near)
  const wanted = new Region(near.map((part) => parts[part] ?? []))
  const inked = new Set<number>()
  for (const { points, isClosed } of lines) {
    for (const shape of inkOf(points, isClosed, pen)) {
      for (const index of wanted.partsTouching(shape.map((one) => transformed(one, ctm)))) inked.add(near[index] ?? 0)
    }
  }
  return inked
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
