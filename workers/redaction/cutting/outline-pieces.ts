// Cuts a closed line into the pieces that lie outside a convex shape.
import { between, boundsOf, type Point } from '../../annotations/drawing/geometry.js'
import { type Contour, type Edge, pointsAlong } from '../content/contours.js'
import { boundsMeet, pointsOfCurve, shareInside } from '../crossing.js'
import type { Corners } from '../region.js'

/** Part of the line from where it leaves the shape to where it enters again. */
export interface Piece {
  readonly start: Point
  readonly edges: readonly Edge[]
  readonly end: Point
}

export interface Shape {
  readonly corners: Corners
  /** Maximum distance between a curve and the straight lines that replace it. */
  readonly tolerance: number
}

/**
 * Returns pieces in order along the line; undefined if no part of the line is inside, and an empty list if all of it
 * is.
 */
export function piecesOutside(contour: Contour, shape: Shape): readonly Piece[] | undefined {
  const { start, edges } = contour
  const bounds = boundsOf(shape.corners)
  if (bounds === undefined || !boundsMeet([...pointsAlong(contour)], bounds)) return undefined
  const pieces = new Pieces()
  let from = start
  for (const edge of edges) {
    for (const one of straightened(from, edge, shape)) {
      const share = one.curve === undefined ? shareInside(from, one.to, shape.corners) : undefined
      pieces.add(from, one, share)
      from = one.to
    }
  }
  return pieces.all()
}

/** Replaces a curve by straight lines near the shape: part of a curve would reveal how the rest of it continues. */
export function straightened(from: Point, edge: Edge, { corners, tolerance }: Shape): readonly Edge[] {
  const { curve, to } = edge
  const bounds = boundsOf(corners)
  if (curve === undefined || bounds === undefined || !boundsMeet([from, ...curve, to], bounds)) return [edge]
  const points = pointsOfCurve(from, curve, to, tolerance)
  const isNear = [from, ...points, ...curve].some((point, index, all) => {
    const [enters, leaves] = shareInside(all[index - 1] ?? point, point, corners)
    return enters < leaves
  })
  return isNear ? points.map((point) => ({ to: point })) : [edge]
}

class Pieces {
  readonly #pieces: { start: Point; edges: Edge[]; end: Point }[] = []
  #isInside = false
  #wasInside = false
  /** True if the line begins in the shape, or on its edge and continues inside. */
  #beginsInside = false
  #isFirst = true

  /** Adds an edge. `share`: range of a straight edge that is inside the shape. */
  add(from: Point, edge: Edge, [enters, leaves]: readonly [number, number] = [1, 0]): void {
    if (enters >= leaves) this.#outside(from, edge)
    else {
      this.#beginsInside ||= this.#isFirst && enters === 0
      if (enters > 0) this.#outside(from, { to: between(from, edge.to, enters) })
      this.#isInside = true
      this.#wasInside = true
      if (leaves < 1) this.#outside(between(from, edge.to, leaves), edge)
    }
    this.#isFirst = false
  }

  all(): readonly Piece[] | undefined {
    if (!this.#wasInside) return undefined
    const [first, ...others] = this.#pieces
    const last = others.at(-1)
    if (first === undefined || last === undefined || this.#beginsInside || this.#isInside) return this.#pieces
    // The start point is arbitrary: the last piece continues with the first.
    for (const edge of first.edges) last.edges.push(edge)
    last.end = first.end
    return others
  }

  #outside(start: Point, edge: Edge): void {
    const last = this.#pieces.at(-1)
    if (last === undefined || this.#isInside) this.#pieces.push({ start, edges: [edge], end: edge.to })
    else {
      last.edges.push(edge)
      last.end = edge.to
    }
    this.#isInside = false
  }
}
