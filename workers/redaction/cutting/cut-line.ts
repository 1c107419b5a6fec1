// Removes the parts of stroked lines that a pen would draw in convex shapes: lines end before their ink reaches inside.
import { between, boundsOf, direction, lengthOf, minus, type Point } from '../../annotations/drawing/geometry.js'
import { type Contour, type Edge, pointsAlong } from '../content/contours.js'
import { boundsMeet, pointsOfCurve } from '../crossing.js'
import type { Corners, Region } from '../region.js'
import { inkReach, joinShape, overhang, type Pen } from './pen-ink.js'

export interface LineCut {
  readonly region: Region
  /** Region reduced by the tolerance: ink that only touches the edge is not inside. */
  readonly well: Region
  readonly pen: Pen
  /** Maximum distance between a curve and the straight lines that replace it. */
  readonly tolerance: number
}

export interface LinePiece {
  readonly contour: Contour
  /** Distance along the original line to the start of the piece, from which the dash phase is computed. */
  readonly after: number
}

interface Step {
  readonly from: Point
  readonly edge: Edge
  readonly length: number
  /** Retained ranges as shares of the length, in order. */
  readonly retained: readonly (readonly [number, number])[]
  /** True if the step continues the one before without a gap. */
  readonly isJoined: boolean
}

/** Returns undefined if no part of the line is inside. */
export function lineWithout(contour: Contour, cut: LineCut): readonly LinePiece[] | undefined {
  if (!isNear([...pointsAlong(contour)], cut.well, inkReach(cut.pen))) return undefined
  const steps = stepsOf(contour, cut)
  const isWhole = ({ retained: [only], isJoined }: Step): boolean => isJoined && only?.[0] === 0 && only[1] === 1
  return steps.every(isWhole) ? undefined : piecesOf(steps, contour.isClosed && cut.pen.dashes.length === 0)
}

function stepsOf({ start, edges, isClosed }: Contour, cut: LineCut): readonly Step[] {
  const straight: { readonly from: Point; readonly edge: Edge }[] = []
  let from = start
  for (const edge of edges) {
    for (const one of straightened(from, edge, cut)) {
      straight.push({ from, edge: one })
      from = one.to
    }
  }
  return straight.map((step, index) => {
    const before = index > 0 ? straight[index - 1] : isClosed ? straight.at(-1) : undefined
    const turn = before && joinShape(step.from, endDirection(before), startDirection(step), cut.pen)
    const { length, retained } = retainedPartsOf(step, cut)
    return { ...step, length, retained, isJoined: turn === undefined || !cut.well.touches(turn) }
  })
}

function straightened(from: Point, edge: Edge, { well, pen, tolerance }: LineCut): readonly Edge[] {
  const { curve, to } = edge
  if (curve === undefined) return [edge]
  const reach = pen.width / 2 + overhang(pen)
  if (!isNear([from, ...curve, to], well, reach)) return [edge]
  return pointsOfCurve(from, curve, to, tolerance).map((point) => ({ to: point }))
}

const isNear = (points: readonly Point[], { parts }: Region, reach: number): boolean =>
  parts.some((corners) => {
    const bounds = boundsOf(corners)
    return bounds !== undefined && boundsMeet(points, bounds, reach)
  })

function retainedPartsOf(
  { from, edge: { to, curve } }: { readonly from: Point; readonly edge: Edge },
  { region, well, pen, tolerance }: LineCut,
): Pick<Step, 'length' | 'retained'> {
  if (curve !== undefined) return { length: curveLength(from, curve, to, tolerance), retained: [[0, 1]] }
  const [length, along, over] = [lengthOf(minus(to, from)), direction(from, to), overhang(pen)]
  let retained: readonly (readonly [number, number])[] = [[0, length]]
  for (const [index, corners] of well.parts.entries()) {
    const [begin, end] = inkSpan(corners, from, along, pen.width / 2) ?? [0, 0]
    if (begin >= end || begin >= length + over || end <= -over) continue
    const [first, last] = inkSpan(region.parts[index] ?? corners, from, along, pen.width / 2) ?? [begin, end]
    retained = retained.flatMap(([low, high]) => without(low, high, first - over, last + over))
  }
  return {
    length,
    retained: length > 0 ? retained.map(([low, high]) => [low / length, high / length]) : retained.map(() => [0, 1]),
  }
}

function without(low: number, high: number, from: number, to: number): readonly (readonly [number, number])[] {
  if (to <= low || from >= high) return [[low, high]]
  const sides: readonly (readonly [number, number])[] = [
    [low, from],
    [to, high],
  ]
  return sides.filter(([begin, end]) => begin < end)
}

/** Returns the range of a line in which a pen of this half width has ink in a shape. */
function inkSpan(corners: Corners, from: Point, along: Point, half: number): readonly [number, number] | undefined {
  const places = corners.map((corner) => {
    const { x, y } = minus(corner, from)
    return { way: x * along.x + y * along.y, aside: y * along.x - x * along.y }
  })
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const [index, one] of places.entries()) {
    const other = places[(index + 1) % places.length] ?? one
    const shares = [-half, half].map((line) => (line - one.aside) / (other.aside - one.aside))
    const crossings = shares.filter((share) => share > 0 && share < 1)
    const ways = crossings.map((share) => one.way + share * (other.way - one.way))
    if (Math.abs(one.aside) <= half) ways.push(one.way)
    first = Math.min(first, ...ways)
    last = Math.max(last, ...ways)
  }
  return first <= last ? [first, last] : undefined
}

function curveLength(from: Point, curve: readonly [Point, Point], to: Point, tolerance: number): number {
  const points = [from, ...pointsOfCurve(from, curve, to, tolerance)]
  return points.reduce((sum, point, index) => sum + lengthOf(minus(point, points[index - 1] ?? point)), 0)
}

type DirectedEdge = { readonly from: Point; readonly edge: Edge }
const startDirection = ({ from, edge: { to, curve } }: DirectedEdge): Point =>
  direction(from, [...(curve ?? []), to].find((point) => !isSame(point, from)) ?? to)
const endDirection = ({ from, edge: { to, curve } }: DirectedEdge): Point =>
  direction([from, ...(curve ?? [])].findLast((point) => !isSame(point, to)) ?? from, to)
const isSame = (one: Point, other: Point): boolean => one.x === other.x && one.y === other.y

/** Returns the pieces. `isRound`: the line is closed, so that its last piece continues with its first. */
function piecesOf(steps: readonly Step[], isRound: boolean): readonly LinePiece[] {
  const pieces: { start: Point; edges: Edge[]; after: number }[] = []
  let [way, isOpen] = [0, false]
  for (const { from, edge, length, retained, isJoined } of steps) {
    isOpen &&= isJoined
    for (const [begin, end] of retained) {
      const to = end < 1 ? { to: between(from, edge.to, end) } : edge
      if (begin > 0 || !isOpen) {
        const start = begin > 0 ? between(from, edge.to, begin) : from
        pieces.push({ start, edges: [to], after: way + begin * length })
      } else pieces.at(-1)?.edges.push(to)
      isOpen = end === 1
    }
    if (retained.length === 0) isOpen = false
    way += length
  }
  const [first, last] = [pieces[0], pieces.at(-1)]
  const goesOn = isRound && isOpen && steps[0]?.isJoined === true && steps[0].retained[0]?.[0] === 0
  if (goesOn && first !== undefined && last !== undefined && first !== last) {
    for (const edge of first.edges) last.edges.push(edge)
    pieces.shift()
  }
  return pieces.map(({ start, edges, after }) => ({ contour: { start, edges, isClosed: false }, after }))
}
