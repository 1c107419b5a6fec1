// Builds paths from the operators of a content stream (ISO 32000-2, 8.5.2) and writes them back.
import { boundsOf, type Point } from '../../annotations/drawing/geometry.js'

export interface Edge {
  readonly to: Point
  /** Control points of a Bézier curve; undefined for a straight line. */
  readonly curve?: readonly [Point, Point] | undefined
}

export interface Contour {
  readonly start: Point
  /** Edges in drawing order. The last edge of a closed contour leads back to its start. */
  readonly edges: readonly Edge[]
  readonly isClosed: boolean
}

const origin: Point = { x: 0, y: 0 }

interface OpenContour {
  readonly start: Point
  readonly edges: Edge[]
  isClosed: boolean
}

export class PathBuilder {
  readonly #contours: OpenContour[] = []
  #isEmpty = true

  get isEmpty(): boolean {
    return this.#isEmpty
  }

  get contours(): readonly Contour[] {
    return this.#contours.filter(({ edges }) => edges.length > 0)
  }

  /** Returns whether the operator builds a path. */
  take(name: string, numbers: readonly number[]): boolean {
    const step = this.#steps[name]
    if (step === undefined) return false
    this.#isEmpty = false
    step(pointsOf(numbers))
    return true
  }

  close(): void {
    const last = this.#contours.at(-1)
    if (last === undefined || last.isClosed) return
    const { start, edges } = last
    const end = edges.at(-1)?.to
    if (end === undefined || end.x !== start.x || end.y !== start.y) edges.push({ to: start })
    last.isClosed = true
  }

  readonly #steps: Readonly<Record<string, (points: readonly Point[]) => void>> = {
    m: ([to = origin]) => this.#begin(to),
    l: ([to = origin]) => this.#add({ to }),
    c: ([one = origin, two = origin, to = origin]) => this.#add({ to, curve: [one, two] }),
    v: ([two = origin, to = origin]) => this.#add({ to, curve: [this.#current, two] }),
    y: ([one = origin, to = origin]) => this.#add({ to, curve: [one, to] }),
    re: ([corner = origin, size = origin]) => {
      const [right, top] = [corner.x + size.x, corner.y + size.y]
      this.#begin(corner)
      for (const to of [
        { x: right, y: corner.y },
        { x: right, y: top },
        { x: corner.x, y: top },
      ])
        this.#add({ to })
      this.#add({ to: corner })
      this.close()
    },
    h: () => this.close(),
  }

  get #current(): Point {
    const last = this.#contours.at(-1)
    return last?.edges.at(-1)?.to ?? last?.start ?? origin
  }

  #begin(start: Point): void {
    this.#contours.push({ start, edges: [], isClosed: false })
  }

  /** Adds an edge. After a closed contour, the next one begins at the same start point. */
  #add(edge: Edge): void {
    if (this.#contours.at(-1)?.isClosed !== false) this.#begin(this.#current)
    this.#contours.at(-1)?.edges.push(edge)
  }
}

function pointsOf(numbers: readonly number[]): readonly Point[] {
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, place) => ({
    x: numbers[2 * place] ?? 0,
    y: numbers[2 * place + 1] ?? 0,
  }))
}

/** Yields all points including control points: their convex hull contains the contour. */
export function* pointsAlong({ start, edges }: Contour): Generator<Point> {
  yield start
  for (const { to, curve } of edges) {
    if (curve !== undefined) yield* curve
    yield to
  }
}

export const boundsOfContours = (contours: readonly Contour[]) =>
  boundsOf(contours.flatMap((contour) => [...pointsAlong(contour)]))

/** Returns the contour closed by a straight edge: filling closes every contour. */
export function closed(contour: Contour): Contour {
  const { start, edges, isClosed } = contour
  return isClosed ? contour : { start, edges: [...edges, { to: start }], isClosed: true }
}

/** Significant digits written for a coordinate: single precision, which readers use, has seven. */
const digits = 9

export function writtenNumber(value: number): string {
  const text = String(Number(value.toPrecision(digits)))
  return text.includes('e') ? value.toFixed(12) : text
}

const pair = ({ x, y }: Point): string => `${writtenNumber(x)} ${writtenNumber(y)}`

export function writtenContour({ start, edges, isClosed }: Contour): string {
  // The closing operator draws the last edge of a closed contour.
  const drawn = isClosed && edges.at(-1)?.curve === undefined && edges.length > 1 ? edges.slice(0, -1) : edges
  const lines = drawn.map(({ to, curve }) =>
    curve === undefined ? `${pair(to)} l` : `${curve.map(pair).join(' ')} ${pair(to)} c`,
  )
  return [`${pair(start)} m`, ...lines, ...(isClosed ? ['h'] : [])].join('\n')
}

export const writtenPath = (contours: readonly Contour[]): string => contours.map(writtenContour).join('\n')
