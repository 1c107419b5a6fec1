// Outlines that something is clipped to. What of one lies in a region is replaced by straight lines from where it enters
// to where it leaves: outside, everything shows through it as before, and inside nothing of its shape is left.
import type { Matrix } from 'mupdf'
import { mupdf } from '../../../pdf/library.js'
import type { PdfRect } from '../../../shapes/pdf-rect.js'
import { between, boundsOf, type Point } from '../../annotations/drawing/geometry.js'
import { type Corners, centreOf, Region, side, transformed } from '../region.js'

/** Straight pieces a curve is cut into: of one across a whole page nobody sees them. */
const piecesOfCurve = 64
/** Nothing shows through it. */
const nothing = '0 0 0 0 re'

export class Outline {
  readonly #lines: Point[][] = []
  readonly #text: string[] = []

  get isEmpty(): boolean {
    return this.#text.length === 0
  }

  /** Takes what builds a path; answers whether it does. */
  take(name: string, text: string, numbers: readonly number[]): boolean {
    const builder = builders[name]
    if (builder === undefined) return false
    this.#text.push(text)
    builder(this.#lines, points(numbers), numbers)
    return true
  }

  /** In the space `ctm` leads to. */
  boundsIn(ctm: Matrix): PdfRect | undefined {
    return boundsOf(this.#lines.flat().map((point) => transformed(point, ctm)))
  }

  /** `region` is in the space that `ctm` leads to. */
  without(region: Region, ctm: Matrix): string {
    const bounds = this.boundsIn(ctm)
    if (bounds === undefined || !region.meets(bounds)) return this.#text.join('\n')
    const [a, b, c, d] = ctm
    if (a * d - b * c === 0) return nothing
    const own = new Region(region.near(bounds)).through(mupdf.Matrix.invert(ctm))
    let lines: readonly (readonly Point[])[] = this.#lines
    for (const corners of own.parts) lines = lines.map((line) => cut(line, corners)).filter(({ length }) => length > 1)
    return lines.length === 0 ? nothing : lines.map(written).join('\n')
  }
}

const origin: Point = { x: 0, y: 0 }

function points(numbers: readonly number[]): readonly Point[] {
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, place) => ({
    x: numbers[2 * place] ?? 0,
    y: numbers[2 * place + 1] ?? 0,
  }))
}

type Builder = (lines: Point[][], given: readonly Point[], numbers: readonly number[]) => void

/** As straight pieces; it begins where the line ends. */
export function curveTo(line: Point[], one: Point, two: Point, end: Point): void {
  const from = line.at(-1) ?? origin
  for (let piece = 1; piece <= piecesOfCurve; piece++) {
    const t = piece / piecesOfCurve
    const [first, second, third] = [between(from, one, t), between(one, two, t), between(two, end, t)]
    line.push(between(between(first, second, t), between(second, third, t), t))
  }
}

const lastOf = (lines: readonly Point[][]): Point => lines.at(-1)?.at(-1) ?? origin

const builders: Readonly<Record<string, Builder>> = {
  m: (lines, [to = origin]) => lines.push([to]),
  l: (lines, [to = origin]) => lines.at(-1)?.push(to),
  c: (lines, [one = origin, two = origin, end = origin]) => curveTo(lines.at(-1) ?? [], one, two, end),
  v: (lines, [two = origin, end = origin]) => curveTo(lines.at(-1) ?? [], lastOf(lines), two, end),
  y: (lines, [one = origin, end = origin]) => curveTo(lines.at(-1) ?? [], one, end, end),
  re: (lines, [corner = origin, size = origin]) => {
    const [{ x, y }, right, top] = [corner, corner.x + size.x, corner.y + size.y]
    lines.push([corner, { x: right, y }, { x: right, y: top }, { x, y: top }], [corner])
  },
  // What goes on after it begins where it began.
  h: (lines) => lines.push(lines.at(-1)?.slice(0, 1) ?? []),
}

/** `line` is closed. */
function cut(line: readonly Point[], corners: Corners): readonly Point[] {
  const left: Point[] = []
  line.forEach((from, place) => {
    const to = line[(place + 1) % line.length] ?? from
    const [enters, leaves] = within(from, to, corners)
    if (enters >= leaves) {
      left.push(from)
      return
    }
    if (enters > 0) left.push(from, between(from, to, enters))
    if (leaves < 1) left.push(between(from, to, leaves))
  })
  return left
}

/** Which share of the way from one point to another is inside; the first greater than the second where none is. */
function within(from: Point, to: Point, corners: Corners): readonly [number, number] {
  let [enters, leaves] = [0, 1]
  const middle = centreOf(corners)
  for (const [index, corner] of corners.entries()) {
    const next = corners[(index + 1) % corners.length] ?? corner
    const turn = Math.sign(side(corner, next, middle))
    const [start, end] = [side(corner, next, from) * turn, side(corner, next, to) * turn]
    if (start <= 0 && end <= 0) return [1, 0]
    if (start < 0) enters = Math.max(enters, start / (start - end))
    if (end < 0) leaves = Math.min(leaves, start / (start - end))
  }
  return [enters, leaves]
}

const coordinate = (value: number): string => String(Number(value.toFixed(6)))

const written = (line: readonly Point[]): string =>
  `${line.map(({ x, y }, place) => `${coordinate(x)} ${coordinate(y)} ${place === 0 ? 'm' : 'l'}`).join('\n')}\nh`
