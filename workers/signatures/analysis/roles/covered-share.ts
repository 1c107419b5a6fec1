// How much of its box an appearance paints: fills, strokes with their width and joins, and large text, on a grid of cells. What
// is clipped, dashed, transparent or white counts as painted. Filled shapes can be the outlines of characters.

import type { Operand, Operation } from './content-operations.js'

export interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

type Matrix = readonly [number, number, number, number, number, number]
type Point = readonly [number, number]

/** Cells in each direction. */
const gridSide = 48
/** Lines of one appearance that are measured; more count as a covered box. */
const segmentsMax = 2_000
const curveSteps = 6
/** By how much rounded coordinates may be off. */
const rounding = 0.02
/** Size of text in points that is no cover in any box, and in parts of the shorter side of the box. */
const plainTextSize = { points: 24, share: 1.5 } as const
const filling = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])
const stroking = new Set(['S', 's', 'B', 'B*', 'b', 'b*'])
const closing = new Set(['s', 'b', 'b*'])
const showing = new Set(['Tj', 'TJ', "'", '"'])

/**
 * Returns the painted share of the box, from 0 to 1, without the cells that are nearer to an edge than `margin`. The box counts as
 * covered by large text, and by a filled shape other than a rectangle beyond the margin.
 */
export function coveredShare(box: Box, operations: readonly Operation[], margin: number): number {
  const grid = new Grid(box, margin)
  const painter = new Painter(grid, Math.min(box.right - box.left, box.top - box.bottom))
  return operations.every((operation) => painter.run(operation)) ? grid.share() : 1
}

interface State {
  readonly matrix: Matrix
  readonly lineWidth: number
  readonly miterLimit: number
  readonly fontSize: number
  readonly stretch: number
}

class Painter {
  #state: State = { matrix: [1, 0, 0, 1, 0, 0], lineWidth: 1, miterLimit: 10, fontSize: 0, stretch: 1 }
  #textMatrix: Matrix = [1, 0, 0, 1, 0, 0]
  #lines: Point[][] = []
  /** True if the path has more than rectangles. */
  #isFree = false
  #segments = 0
  readonly #saved: State[] = []

  constructor(
    readonly grid: Grid,
    readonly shorterSide: number,
  ) {}

  /** Returns false if the box counts as covered. */
  run({ operator, operands }: Operation): boolean {
    const numbers = operands.map(numberOf)
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers
    if (operator === 'q') this.#saved.push(this.#state)
    else if (operator === 'Q') this.#state = this.#saved.pop() ?? this.#state
    else if (operator === 'cm') this.#set({ matrix: product([a, b, c, d, e, f], this.#state.matrix) })
    else if (operator === 'w') this.#set({ lineWidth: a })
    else if (operator === 'M') this.#set({ miterLimit: a })
    else if (operator === 'Tf') this.#set({ fontSize: numbers.at(-1) ?? 0 })
    else if (operator === 'Tz') this.#set({ stretch: Math.max(1, a / 100) })
    else if (operator === 'BT') this.#textMatrix = [1, 0, 0, 1, 0, 0]
    else if (operator === 'Tm') this.#textMatrix = [a, b, c, d, e, f]
    else if (showing.has(operator)) return this.#isPlainText()
    else if (operator === 're') {
      this.#begin(a, b)
      for (const [x, y] of [
        [a + c, b],
        [a + c, b + d],
        [a, b + d],
        [a, b],
      ] as const)
        this.#lineTo(x, y)
    } else if (operator === 'm') this.#begin(a, b)
    else if (operator === 'l') this.#lineTo(a, b)
    else if (operator === 'c') this.#curveTo([a, b], [c, d], [e, f])
    else if (operator === 'v') this.#curveTo(undefined, [a, b], [c, d])
    else if (operator === 'y') this.#curveTo([a, b], [c, d], [c, d])
    else if (operator === 'h') this.#close()
    else if (operator === 'n' || filling.has(operator) || stroking.has(operator)) {
      if (!this.#paint(operator)) return false
    }
    if (operator === 'm' || operator === 'l' || operator === 'c' || operator === 'v' || operator === 'y')
      this.#isFree = true
    return this.#segments <= segmentsMax
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change }
  }

  #isPlainText(): boolean {
    const { fontSize, stretch, matrix } = this.#state
    const size = Math.abs(fontSize) * stretch * scaleOf(product(this.#textMatrix, matrix))
    return size <= Math.max(plainTextSize.points, plainTextSize.share * this.shorterSide)
  }

  #begin(x: number, y: number): void {
    this.#lines.push([this.#place(x, y)])
  }

  #lineTo(x: number, y: number): void {
    if (this.#lines.length === 0) this.#begin(x, y)
    this.#lines.at(-1)?.push(this.#place(x, y))
    this.#segments += 1
  }

  #curveTo(first: Point | undefined, second: Point, last: Point): void {
    const end = this.#place(...last)
    const start = this.#lines.at(-1)?.at(-1) ?? end
    const controls = [first === undefined ? start : this.#place(...first), this.#place(...second)] as const
    if (this.#lines.length === 0) this.#lines.push([start])
    for (let step = 1; step <= curveSteps; step++) {
      this.#lines.at(-1)?.push(between(start, ...controls, end, step / curveSteps))
      this.#segments += 1
    }
  }

  #close(): void {
    const line = this.#lines.at(-1)
    const [start] = line ?? []
    if (line === undefined || start === undefined) return
    line.push(start)
    this.#lines.push([start])
    this.#segments += 1
  }

  /** Returns false for a filled shape beyond the margin. */
  #paint(operator: string): boolean {
    if (closing.has(operator)) this.#close()
    const lines = this.#lines
    const isShape = this.#isFree || lines.some((line) => line.some((to, index) => isSloped(line[index - 1] ?? to, to)))
    if (filling.has(operator)) {
      const isBeyond =
        this.grid.fill(lines) || lines.some((line) => line.some((point) => this.grid.isBeyondMargin(point)))
      if (isShape && isBeyond) return false
    }
    if (stroking.has(operator)) {
      const { lineWidth, miterLimit, matrix } = this.#state
      for (const line of lines) this.grid.stroke(line, (lineWidth * scaleOf(matrix)) / 2, miterLimit)
    }
    this.#lines = []
    this.#isFree = false
    return true
  }

  #place(x: number, y: number): Point {
    const [a, b, c, d, e, f] = this.#state.matrix
    return [a * x + c * y + e, b * x + d * y + f]
  }
}

class Grid {
  readonly #cells = new Uint8Array(gridSide * gridSide)

  constructor(
    readonly box: Box,
    readonly margin: number,
  ) {}

  isBeyondMargin([x, y]: Point): boolean {
    const { left, bottom, right, top } = this.box
    return Math.min(x - left, right - x, y - bottom, top - y) > this.margin + rounding
  }

  /** Paints what is inside by either rule; open lines are closed. Returns whether a cell beyond the margin is inside. */
  fill(lines: readonly (readonly Point[])[]): boolean {
    let isBeyond = false
    const edges = lines.flatMap((line) =>
      line.map((from, index) => [from, line[index + 1] ?? line[0] ?? from] as const),
    )
    this.#each(([x, y]) => {
      let winding = 0
      for (const [[fromX, fromY], [toX, toY]] of edges) {
        if (fromY > y === toY > y) continue
        if (fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX) > x) winding += toY > fromY ? 1 : -1
      }
      isBeyond ||= winding !== 0 && this.isBeyondMargin([x, y])
      return winding !== 0
    })
    return isBeyond
  }

  stroke(line: readonly Point[], radius: number, miterLimit: number): void {
    line.forEach((to, index) => {
      const from = line[index - 1] ?? to
      const next = line[index + 1]
      const corner = next === undefined ? radius : radius * miterRatio(from, to, next, miterLimit)
      this.#each((cell) => distanceToLine(cell, from, to) <= radius || distance(cell, to) <= corner)
    })
  }

  share(): number {
    let covered = 0
    this.#each((center, cell) => {
      if (this.isBeyondMargin(center) && this.#cells[cell] === 1) covered += 1
      return false
    })
    return covered / this.#cells.length
  }

  #each(isPainted: (center: Point, cell: number) => boolean): void {
    const { left, bottom, right, top } = this.box
    for (let cell = 0; cell < this.#cells.length; cell++) {
      const [column, row] = [cell % gridSide, Math.floor(cell / gridSide)]
      const x = left + ((column + 0.5) * (right - left)) / gridSide
      const y = bottom + ((row + 0.5) * (top - bottom)) / gridSide
      if (isPainted([x, y], cell)) this.#cells[cell] = 1
    }
  }
}

/** Returns by how much a join reaches beyond half of the line width. */
function miterRatio(from: Point, at: Point, to: Point, limit: number): number {
  const [one, other] = [distance(from, at), distance(at, to)]
  if (one === 0 || other === 0) return 1
  const cosine = ((from[0] - at[0]) * (to[0] - at[0]) + (from[1] - at[1]) * (to[1] - at[1])) / (one * other)
  const sine = Math.sqrt(Math.max(0, (1 - cosine) / 2))
  return sine > 0 && 1 / sine <= limit ? 1 / sine : 1
}

const isSloped = (from: Point, to: Point): boolean => from[0] !== to[0] && from[1] !== to[1]

const distance = (one: Point, other: Point): number => Math.hypot(one[0] - other[0], one[1] - other[1])

function distanceToLine(point: Point, from: Point, to: Point): number {
  const [x, y] = [to[0] - from[0], to[1] - from[1]]
  const squared = x * x + y * y
  const along = squared === 0 ? 0 : ((point[0] - from[0]) * x + (point[1] - from[1]) * y) / squared
  const part = Math.min(1, Math.max(0, along))
  return distance(point, [from[0] + part * x, from[1] + part * y])
}

function between(start: Point, first: Point, second: Point, end: Point, part: number): Point {
  const rest = 1 - part
  const mix = (axis: 0 | 1): number =>
    rest ** 3 * start[axis] +
    3 * rest ** 2 * part * first[axis] +
    3 * rest * part ** 2 * second[axis] +
    part ** 3 * end[axis]
  return [mix(0), mix(1)]
}

function product([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l]
}

/** The larger of both axes. */
const scaleOf = ([a, b, c, d]: Matrix): number => Math.max(Math.hypot(a, b), Math.hypot(c, d))

const numberOf = (operand: Operand): number => (operand.kind === 'other' ? Number(operand.token) || 0 : 0)
