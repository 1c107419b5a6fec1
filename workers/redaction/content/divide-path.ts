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

export interface Left {
  /** Content that replaces the path; empty if nothing is left of it. */
  readonly text: string
  /** Kind of painting that could not be divided and was removed completely, including its parts outside the region. */
  readonly whole?: RemovedKind | undefined
}

/** Remaining budget for dividing, counted in edges times the shapes they are compared with. */
export interface Effort {
  left: number
}

/** Maximum distance in points between a curve and its straight replacement; ink this close only touches. */
const curveTolerance = 0.02
const touching = 0.05

/**
 * Divides a path; undefined if it does not reach into the region. `region` is in the coordinate space that the graphics
 * state maps to.
 */
export function divided(painting: Painting, graphics: Graphics, region: Region, effort: Effort): Left | undefined {
  const bounds = inkBounds(painting, graphics)
  if (bounds === undefined || !region.meets(bounds)) return undefined
  const near = new Region(region.near(bounds))
  const back = inverse(graphics.ctm)
  effort.left -= painting.contours.reduce((sum, { edges }) => sum + edges.length, 1) * near.parts.length
  if (back === undefined || effort.left < 0) return nothing(bounds, near)
  const space: Space = { near, back, tolerance: curveTolerance / scaleOf(graphics.ctm) }
  const stroked = painting.strokes ? strokeLeft(painting, graphics, space) : undefined
  // Transparent areas and their outlines look different when they are painted one after the other.
  const both = painting.strokes && stroked === undefined ? surroundingPath(painting, graphics, space) : undefined
  if (both !== undefined) return { text: both }
  const filled = painting.fill && fillLeft(painting, painting.fill, graphics, space)
  if (filled === undefined && stroked === undefined) return undefined
  const path = (): string => writtenPath(painting.contours)
  const texts = [
    painting.fill && (filled?.text ?? `${path()}\n${painting.fill}`),
    painting.strokes && (stroked?.text ?? `${path()}\nS`),
  ]
  return { text: texts.filter(Boolean).join('\n'), whole: filled?.whole ?? stroked?.whole }
}

/** Removes the whole path if any part of it may be in the region. */
export function withoutPath(painting: Painting, graphics: Graphics, region: Region): Left | undefined {
  const bounds = inkBounds(painting, graphics)
  return bounds === undefined || !region.meets(bounds) ? undefined : nothing(bounds, region)
}

interface Space {
  readonly near: Region
  readonly back: Matrix
  readonly tolerance: number
}

function inkBounds({ contours, strokes }: Painting, { ctm, pen }: Graphics): PdfRect | undefined {
  const bounds = boundsOfContours(contours)
  const around = bounds && outset(bounds, strokes ? inkReach(pen) : 0)
  return around && boundsOf(cornersOf(around).map((corner) => transformed(corner, ctm)))
}

const nothing = (bounds: PdfRect, region: Region): Left =>
  region.contains(bounds) ? { text: '' } : { text: '', whole: 'drawings' }

const scaleOf = ([a, b, c, d]: Matrix): number => Math.max(Math.hypot(a, b), Math.hypot(c, d))

interface PaintedPath {
  readonly contours: readonly Contour[]
  readonly operator: string
  /** Distance that the ink reaches beyond the contours. */
  readonly reach: number
}

/** Removes pattern fills whole: where a pattern draws within its cell is unknown. */
function fillLeft(
  { contours }: Painting,
  fill: 'f' | 'f*',
  { fillPattern }: Graphics,
  { near, back, tolerance }: Space,
): Left | undefined {
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

function strokeLeft(
  { contours }: Painting,
  { pen, strokePattern }: Graphics,
  { near, back, tolerance }: Space,
): Left | undefined {
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
