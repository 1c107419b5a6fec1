// Removes a region from a painted path: keeps the filled area outside the region, and strokes up to where their ink
// would reach into it.
import type { Matrix } from 'mupdf'
import { boundsOf, cornersOf, outset } from '../../annotations/drawing/geometry.js'
import type { RemovedKind } from '../../contract/ops/redactions-apply.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import { areaWithout } from '../cutting/cut-area.js'
import { type LinePiece, lineWithout } from '../cutting/cut-line.js'
import { piecesOutside, type Shape } from '../cutting/outline-pieces.js'
import { inkReach, type Pen } from '../cutting/pen-ink.js'
import { Region, transformed } from '../region.js'
import { boundsOfContours, type Contour, closed, writtenNumber, writtenPath } from './contours.js'
import type { Graphics } from './graphics.js'
import { inverse } from './matrices.js'
import { drawnOutside } from './outside-clip.js'

export interface Painting {
  readonly contours: readonly Contour[]
  readonly fill: 'f' | 'f*' | undefined
  readonly strokes: boolean
}

export interface PathRemainder {
  /** Content that replaces the path; empty if nothing is left of it. */
  readonly text: string
  /** Kind of painting that could not be divided and was removed completely, including its parts outside the region. */
  readonly whole?: RemovedKind | undefined
}

/** Remaining budget for dividing, counted in edges times the shapes they are compared with. */
export interface EdgeBudget {
  left: number
}

/** Maximum distance in points between a curve and its straight replacement; ink this close only touches. */
const curveTolerance = 0.02
const touching = 0.05
/** Least extent of ink in points: readers draw lines and areas without one as thin as they can. */
const thinnest = 0.01

/**
 * Divides a path; undefined if it does not reach into the region. `region` is in the coordinate space that the graphics
 * state maps to.
 */
export function dividePath(
  painting: Painting,
  graphics: Graphics,
  region: Region,
  effort: EdgeBudget,
): PathRemainder | undefined {
  const bounds = inkBounds(painting, graphics)
  if (bounds === undefined || !region.meets(bounds)) return undefined
  const nearby = new Region(region.near(bounds))
  const toPathSpace = inverse(graphics.ctm)
  effort.left -= painting.contours.reduce((sum, { edges }) => sum + edges.length, 1) * nearby.parts.length
  if (toPathSpace === undefined || effort.left < 0) return nothingLeft(bounds, nearby)
  const space: Space = { near: nearby, back: toPathSpace, tolerance: curveTolerance / scaleOf(graphics.ctm) }
  const stroked = painting.strokes ? remainingStroke(painting, graphics, space) : undefined
  // Transparent areas and their outlines look different when they are painted one after the other.
  const divided = painting.strokes && stroked === undefined ? surroundingPath(painting, graphics, space) : undefined
  if (divided !== undefined) return { text: divided }
  const filled = painting.fill && remainingFill(painting, painting.fill, graphics, space)
  if (filled === undefined && stroked === undefined) return undefined
  const path = (): string => writtenPath(painting.contours)
  const texts = [
    painting.fill && (filled?.text ?? `${path()}\n${painting.fill}`),
    painting.strokes && (stroked?.text ?? `${path()}\nS`),
  ]
  return { text: texts.filter(Boolean).join('\n'), whole: filled?.whole ?? stroked?.whole }
}

/** Coordinate space of a path: the region nearby, and the matrix from the region to the path. */
interface Space {
  readonly near: Region
  readonly back: Matrix
  readonly tolerance: number
}

function inkBounds({ contours, strokes }: Painting, { ctm, pen }: Graphics): PdfRect | undefined {
  const bounds = boundsOfContours(contours)
  const around = bounds && outset(bounds, strokes ? inkReach(pen) : 0)
  const placed = around && boundsOf(cornersOf(around).map((corner) => transformed(corner, ctm)))
  return placed && outset(placed, thinnest)
}

const nothingLeft = (bounds: PdfRect, region: Region): PathRemainder =>
  region.contains(bounds) ? { text: '' } : { text: '', whole: 'drawings' }

const scaleOf = ([a, b, c, d]: Matrix): number => Math.max(Math.hypot(a, b), Math.hypot(c, d))

interface PaintedPath {
  readonly contours: readonly Contour[]
  readonly operator: string
  /** Distance that the ink reaches beyond the contours. */
  readonly reach: number
}

/** Removes pattern fills whole: where a pattern draws within its cell is unknown. */
function remainingFill(
  { contours }: Painting,
  fill: 'f' | 'f*',
  { fillPattern }: Graphics,
  { near, back, tolerance }: Space,
): PathRemainder | undefined {
  const shapes = near.through(back).parts.map((corners) => ({ corners, tolerance }))
  let left: readonly Contour[] | undefined = contours
  for (const shape of shapes) left &&= areaWithout(left, shape, fill === 'f*')
  if (left === contours) return undefined
  if (left === undefined) return { text: '', whole: 'drawings' }
  if (left.length === 0) return { text: '' }
  if (fillPattern !== undefined) return { text: '', whole: 'patterns' }
  return { text: surrounding({ contours, operator: fill, reach: 0 }, shapes) ?? filled(left, fill) }
}

/** Fills and strokes a path in one step, if its outline is not in the region. */
function surroundingPath(
  { contours, fill }: Painting,
  { fillPattern, pen }: Graphics,
  { near, back, tolerance }: Space,
): string | undefined {
  if (fill === undefined || fillPattern !== undefined) return undefined
  const shapes = near.through(back).parts.map((corners) => ({ corners, tolerance }))
  const isFilled = shapes.some((shape) => areaWithout(contours, shape, fill === 'f*') !== contours)
  const operator = fill === 'f' ? 'B' : 'B*'
  return isFilled ? surrounding({ contours, operator, reach: inkReach(pen) }, shapes) : undefined
}

const filled = (contours: readonly Contour[], fill: 'f' | 'f*'): string => `${writtenPath(contours)}\n${fill}`

/**
 * Keeps an area unchanged if no outline of it crosses the shapes, and a rectangle if none of its corners is inside:
 * readers place its edges as before, and it reveals nothing about the content under the shapes.
 */
function surrounding({ contours, operator, reach }: PaintedPath, shapes: readonly Shape[]): string | undefined {
  const bounds = boundsOfContours(contours)
  const isAround = contours.every((one) => shapes.every((shape) => piecesOutside(closed(one), shape) === undefined))
  if (bounds === undefined || !(isAround || isPlainRectangle(contours, shapes))) return undefined
  return drawnOutside(`${writtenPath(contours)}\n${operator}`, outset(bounds, reach), shapes)
}

function isPlainRectangle([only, ...others]: readonly Contour[], shapes: readonly Shape[]): boolean {
  if (only === undefined || others.length > 0) return false
  const { start, edges } = closed(only)
  const points = [start, ...edges.map(({ to }) => to)]
  const isUpright = edges.every(({ to, curve }, index) => {
    const from = points[index]
    return curve === undefined && (to.x === from?.x || to.y === from?.y)
  })
  const region = new Region(shapes.map(({ corners }) => corners))
  return edges.length === 4 && isUpright && !points.some((point) => region.has(point))
}

function remainingStroke(
  { contours }: Painting,
  { pen, strokePattern }: Graphics,
  { near, back, tolerance }: Space,
): PathRemainder | undefined {
  const cut = { region: near.through(back), well: near.inset(touching).through(back), pen, tolerance }
  const cuts = contours.map((contour) => ({ contour, pieces: lineWithout(contour, cut) }))
  if (cuts.every(({ pieces }) => pieces === undefined)) return undefined
  const whole = cuts.filter(({ pieces }) => pieces === undefined).map(({ contour }) => contour)
  const pieces = cuts.flatMap((one) => one.pieces ?? [])
  if (whole.length + pieces.length === 0) return { text: '' }
  if (strokePattern !== undefined) return { text: '', whole: 'patterns' }
  return { text: pen.dashes.length > 0 ? dashed(whole, pieces, pen) : stroked([...whole, ...contoursOf(pieces)]) }
}

const contoursOf = (pieces: readonly LinePiece[]): readonly Contour[] => pieces.map(({ contour }) => contour)
const stroked = (contours: readonly Contour[]): string => `${writtenPath(contours)}\nS`

/** Returns the pieces with the dash phase that the original line has where each piece begins. */
function dashed(whole: readonly Contour[], pieces: readonly LinePiece[], { dashes, dashPhase }: Pen): string {
  const pattern = (phase: number): string => `[${dashes.map(writtenNumber).join(' ')}] ${writtenNumber(phase)} d`
  return [
    ...(whole.length > 0 ? [stroked(whole)] : []),
    ...pieces.map(({ contour, after }) => `${pattern(dashPhase + after)}\n${stroked([contour])}`),
    pattern(dashPhase),
  ].join('\n')
}
