// Differences of a page under marks and beside them, rendered by external programs. The same program renders the marks,
// so that no position is computed twice in the same wrong way.
import { spawnSync } from 'node:child_process'

export interface Drawn {
  readonly width: number
  readonly height: number
  /** Red, green and blue of each pixel. */
  readonly rgb: Uint8Array
}

const programs = {
  pdftoppm: (path: string, dpi: number, page: number) => ['-r', `${dpi}`, '-f', `${page}`, '-l', `${page}`, path],
  mutool: (path: string, dpi: number, page: number) => [
    'draw',
    '-q',
    '-F',
    'ppm',
    '-r',
    `${dpi}`,
    '-o',
    '-',
    path,
    `${page}`,
  ],
  gs: (path: string, dpi: number, page: number) => [
    '-q',
    '-dSAFER',
    '-sstdout=%stderr',
    '-sDEVICE=ppmraw',
    `-r${dpi}`,
    `-dFirstPage=${page}`,
    `-dLastPage=${page}`,
    '-o',
    '-',
    path,
  ],
} as const

export type DrawingJudge = keyof typeof programs
export const drawingJudges: readonly DrawingJudge[] = ['pdftoppm', 'mutool']

export function drawnBy(judge: DrawingJudge, path: string, { dpi = 144, page = 1 } = {}): Drawn {
  const { status, stdout, stderr } = spawnSync(judge, programs[judge](path, dpi, page), {
    maxBuffer: 256 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`${judge} ended with ${status}: ${stderr.toString()}`)
  const [head = '', width = '', height = ''] =
    /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.toString('latin1', 0, 64)) ?? []
  return { width: Number(width), height: Number(height), rgb: stdout.subarray(head.length) }
}

export interface Differences {
  readonly beside: { readonly pixels: number; readonly changed: number }
  /** Differing pixels under the marks; `colors`: colours drawn there now. */
  readonly under: { readonly pixels: number; readonly colors: number }
}

/**
 * `marks`: picture of the page with only the marks, in black. `margin`: width in pixels of the ignored edge of marks.
 */
export function differencesOf(
  before: Drawn,
  after: Drawn,
  marks: Drawn,
  { margin = 3, tolerance = 0 } = {},
): Differences {
  const { width, height } = before
  const isMarked = (x: number, y: number): boolean => (marks.rgb[(y * width + x) * 3] ?? 255) < 128
  const [beside, under] = [{ pixels: 0, changed: 0 }, { pixels: 0 }]
  const colors: number[][] = []
  const sums = sumsOf(width, height, isMarked)
  for (let y = margin; y < height - margin; y++) {
    for (let x = margin; x < width - margin; x++) {
      const marked = sums(x - margin, y - margin, x + margin + 1, y + margin + 1)
      const at = (y * width + x) * 3
      if (marked === 0) {
        beside.pixels++
        if (isOther(before.rgb.subarray(at, at + 3), after.rgb.subarray(at, at + 3), tolerance)) beside.changed++
      } else if (marked === (2 * margin + 1) ** 2) {
        under.pixels++
        const color = after.rgb.subarray(at, at + 3)
        if (colors.length < 10 && colors.every((known) => isOther(known, color, tolerance))) colors.push([...color])
      }
    }
  }
  return { beside, under: { ...under, colors: colors.length } }
}

const isOther = (one: ArrayLike<number>, other: ArrayLike<number>, tolerance: number): boolean =>
  [0, 1, 2].some((channel) => Math.abs((one[channel] ?? 0) - (other[channel] ?? 0)) > tolerance)

/** Counts marked pixels in a box. */
function sumsOf(width: number, height: number, isMarked: (x: number, y: number) => boolean) {
  const sums = new Uint32Array((width + 1) * (height + 1))
  const at = (x: number, y: number): number => y * (width + 1) + x
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      sums[at(x + 1, y + 1)] =
        (sums[at(x, y + 1)] ?? 0) + (sums[at(x + 1, y)] ?? 0) - (sums[at(x, y)] ?? 0) + (isMarked(x, y) ? 1 : 0)
  return (left: number, top: number, right: number, bottom: number): number =>
    (sums[at(right, bottom)] ?? 0) -
    (sums[at(left, bottom)] ?? 0) -
    (sums[at(right, top)] ?? 0) +
    (sums[at(left, top)] ?? 0)
}
