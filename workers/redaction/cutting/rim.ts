// Edge of a convex shape, counterclockwise: nodes where lines leave and enter it, and how often the edge between two
// nodes is walked.
import type { Point } from '../../annotations/drawing/geometry.js'
import type { Contour, Edge } from '../content/contours.js'
import { turnsAbout } from '../crossing.js'
import type { Corners } from '../region.js'
import type { Piece } from './outline-pieces.js'

interface Trail {
  readonly edges: readonly Edge[]
  /** Index of the target node. */
  readonly to: number
}

interface Node {
  /** Position on the edge: index of the corner before it, plus the share of the distance to the next corner. */
  readonly at: number
  readonly point: Point
}

const origin: Point = { x: 0, y: 0 }
const nearlyOne = 1 - 1e-12

export class Rim {
  readonly #nodes: readonly Node[]
  /** Net number of walks from each node to the next: counterclockwise minus clockwise. */
  readonly #walks: number[]
  readonly #starts = new Map<Piece, number>()
  readonly #ends = new Map<Piece, number>()

  /** Creates the rim. `lines`: consecutive pieces of each line. */
  constructor(
    private readonly corners: Corners,
    lines: readonly (readonly Piece[])[],
  ) {
    const nodes = lines.flat().flatMap((piece) => [
      { at: this.#placeOf(piece.start), point: piece.start, piece, indices: this.#starts },
      { at: this.#placeOf(piece.end), point: piece.end, piece, indices: this.#ends },
    ])
    nodes.sort((one, other) => one.at - other.at)
    for (const [index, { piece, indices }] of nodes.entries()) indices.set(piece, index)
    // If there are no nodes, the edge is a single walk from the first corner back to itself.
    this.#nodes = nodes.length > 0 ? nodes : [{ at: 0, point: corners[0] ?? origin }]
    this.#walks = this.#walksOf(lines)
  }

  get walks(): number {
    return this.#walks.reduce((sum, times) => sum + Math.abs(times), 0)
  }

  turnsAbout(middle: Point): number {
    return this.#walks.reduce((turns, times, index) => {
      const points = times === 0 ? [] : this.#pointsFrom(index)
      return turns + times * points.reduce((sum, to, place) => sum + turnsAbout(middle, points[place - 1] ?? to, to), 0)
    }, 0)
  }

  unwind(turns: number): void {
    for (const index of this.#walks.keys()) this.#walks[index] = (this.#walks[index] ?? 0) - turns
  }

  /** Joins pieces and walks to closed contours, which is possible because as many arrive at each node as leave it. */
  contours(): readonly Contour[] {
    const leaving = this.#trails()
    return this.#nodes.flatMap(({ point }, begin) => {
      const contours: Contour[] = []
      for (let trail = leaving[begin]?.pop(); trail !== undefined; trail = leaving[begin]?.pop()) {
        const edges = [...trail.edges]
        for (let { to } = trail; to !== begin; ) {
          const next = leaving[to]?.pop()
          if (next === undefined) break
          for (const edge of next.edges) edges.push(edge)
          to = next.to
        }
        contours.push({ start: point, edges, isClosed: true })
      }
      return contours
    })
  }

  /** Returns the trails grouped by the node they leave. */
  #trails(): Trail[][] {
    const leaving: Trail[][] = this.#nodes.map(() => [])
    for (const [piece, index] of this.#starts) {
      leaving[index]?.push({ edges: piece.edges, to: this.#ends.get(piece) ?? index })
    }
    for (const [index, times] of this.#walks.entries()) {
      if (times === 0) continue
      const [points, next] = [this.#pointsFrom(index), (index + 1) % this.#nodes.length]
      const [from, to] = times > 0 ? [index, next] : [next, index]
      const edges = (times > 0 ? points : points.toReversed()).slice(1).map((point) => ({ to: point }))
      for (let time = 0; time < Math.abs(times); time++) leaving[from]?.push({ edges, to })
    }
    return leaving
  }

  /** Computes the walks: every line continues along the edge from where it enters to where it leaves again. */
  #walksOf(lines: readonly (readonly Piece[])[]): number[] {
    const changes = this.#nodes.map(() => 0)
    const change = (index: number, by: number): void => {
      changes[index] = (changes[index] ?? 0) + by
    }
    for (const pieces of lines) {
      for (const [index, piece] of pieces.entries()) {
        const next = pieces[(index + 1) % pieces.length] ?? piece
        const [from, to] = [this.#ends.get(piece) ?? 0, this.#starts.get(next) ?? 0]
        change(from, 1)
        change(to, -1)
        if (to < from) change(0, 1)
      }
    }
    let times = 0
    return changes.map((by) => {
      times += by
      return times
    })
  }

  /** Returns the points from a node to the next, both nodes and the corners between them included. */
  #pointsFrom(index: number): readonly Point[] {
    const [node, next] = [this.#nodes[index], this.#nodes[(index + 1) % this.#nodes.length]]
    if (node === undefined || next === undefined) return []
    const count = this.corners.length
    const end = index + 1 < this.#nodes.length ? next.at : next.at + count
    const points = [node.point]
    for (let corner = Math.floor(node.at) + 1; corner < end; corner++)
      points.push(this.corners[corner % count] ?? origin)
    return [...points, next.point]
  }

  #placeOf({ x, y }: Point): number {
    let [place, nearest] = [0, Number.POSITIVE_INFINITY]
    for (const [index, corner] of this.corners.entries()) {
      const next = this.corners[(index + 1) % this.corners.length] ?? corner
      const [across, up] = [next.x - corner.x, next.y - corner.y]
      const length = across * across + up * up
      const projected = length > 0 ? ((x - corner.x) * across + (y - corner.y) * up) / length : 0
      const share = Math.min(nearlyOne, Math.max(0, projected))
      const distance = Math.hypot(corner.x + share * across - x, corner.y + share * up - y)
      if (distance >= nearest) continue
      nearest = distance
      place = index + share
    }
    return place
  }
}
