// Pixels of a picture that lie under marks, as runs per row: marks are convex, so each one covers one run of a row.
import { boundsOf } from '../../annotations/drawing/geometry.js'
import { betweenHeights } from '../crossing.js'
import type { Corners, Region } from '../region.js'

/** Range of pixels in a row, its end excluded. */
export interface Run {
  readonly from: number
  readonly to: number
}

/** Maximum number of runs computed for one picture; beyond it, the bounding box of all marks is used. */
const runsMax = 2_000_000
const none: readonly Run[] = []

export class PixelArea {
  private constructor(
    readonly width: number,
    readonly height: number,
    readonly top: number,
    private readonly rows: readonly (readonly Run[])[],
  ) {}

  /**
   * Returns the pixels under a region, which is in pixels, with the first row at the origin. Pixels that reach into it
   * by no more than `tolerance` are excluded: coordinates are in single precision.
   */
  static under(region: Region, { width, height }: { width: number; height: number }, tolerance: number): PixelArea {
    const box = { left: 0, bottom: 0, right: width, top: height }
    const parts = withinReach(region.near(box), height)
    const heights = parts.map((corners) => rowsOf(corners, height, tolerance))
    const top = Math.min(height, ...heights.map(({ from }) => from))
    const end = Math.max(top, ...heights.map(({ to }) => to))
    const rows = Array.from({ length: end - top }, (): Run[] => [])
    for (const [index, corners] of parts.entries()) {
      const { from, to } = heights[index] ?? { from: 0, to: 0 }
      for (let y = from; y < to; y++) {
        const run = runOf(corners, y, width, tolerance)
        if (run !== undefined) rows[y - top]?.push(run)
      }
    }
    return new PixelArea(width, height, top, rows.map(mergedRuns))
  }

  get isEmpty(): boolean {
    return this.rows.every(({ length }) => length === 0)
  }

  /** Index after the last row that has pixels in the area. */
  get end(): number {
    return this.top + this.rows.length
  }

  runsOf(y: number): readonly Run[] {
    return this.rows[y - this.top] ?? none
  }

  /**
   * Returns the area on a coarser grid of `wide` by `high` pixels per cell: cells of which any pixel is in the area.
   */
  coarser(wide: number, high: number): PixelArea {
    const [top, end] = [Math.floor(this.top / high), Math.ceil(this.end / high)]
    const rows = Array.from({ length: end - top }, (_, row) => {
      const [from, to] = [Math.floor((top + row) * high), Math.ceil((top + row + 1) * high)]
      const runs = Array.from({ length: to - from }, (_, y) => this.runsOf(from + y)).flat()
      return mergedRuns(runs.map((run) => ({ from: Math.floor(run.from / wide), to: Math.ceil(run.to / wide) })))
    })
    return new PixelArea(Math.ceil(this.width / wide), Math.ceil(this.height / high), top, rows)
  }

  /** Returns the pixels whose neighbours are all in the area. */
  inner(): PixelArea {
    const shrunk = this.rows.map((runs) => runs.map(({ from, to }) => ({ from: from + 1, to: to - 1 })))
    const rows = shrunk.map((runs, row) => common(common(runs, shrunk[row - 1] ?? none), shrunk[row + 1] ?? none))
    return new PixelArea(this.width, this.height, this.top, rows)
  }
}

function withinReach(parts: readonly Corners[], height: number): readonly Corners[] {
  const runs = parts.reduce((sum, corners) => {
    const { from, to } = rowsOf(corners, height, 0)
    return sum + Math.max(0, to - from)
  }, 0)
  const bounds = boundsOf(parts.flat())
  if (runs <= runsMax || bounds === undefined) return parts
  const { left, bottom, right, top } = bounds
  return [
    [
      { x: left, y: bottom },
      { x: right, y: bottom },
      { x: right, y: top },
      { x: left, y: top },
    ],
  ]
}

function rowsOf(corners: Corners, height: number, tolerance: number): Run {
  const { bottom, top } = boundsOf(corners) ?? { bottom: 0, top: 0 }
  return stretch(bottom, top, height, tolerance)
}

function runOf(corners: Corners, y: number, width: number, tolerance: number): Run | undefined {
  const bounds = boundsOf(betweenHeights(corners, y, y + 1))
  if (bounds === undefined) return undefined
  const run = stretch(bounds.left, bounds.right, width, tolerance)
  return run.from < run.to ? run : undefined
}

/** Shrinks a range by the tolerance and rounds it to whole pixels, at least one. */
function stretch(low: number, high: number, end: number, tolerance: number): Run {
  const middle = Math.floor((low + high) / 2)
  const from = Math.min(Math.floor(low + tolerance), middle)
  const to = Math.max(Math.ceil(high - tolerance), middle + 1)
  return { from: Math.min(end, Math.max(0, from)), to: Math.max(0, Math.min(end, to)) }
}

function mergedRuns(runs: readonly Run[]): readonly Run[] {
  if (runs.length < 2) return runs
  const together: { from: number; to: number }[] = []
  for (const { from, to } of runs.toSorted((one, other) => one.from - other.from)) {
    const last = together.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else together.push({ from, to })
  }
  return together
}

function common(runs: readonly Run[], others: readonly Run[]): readonly Run[] {
  return runs.flatMap((run) =>
    others.flatMap((other) => {
      const [from, to] = [Math.max(run.from, other.from), Math.min(run.to, other.to)]
      return from < to ? [{ from, to }] : []
    }),
  )
}
