// Readings of a text: the same characters without those that do not count, such as hyphens that divide words at the
// ends of lines. A search finds what is in any of its readings.
import { type Folding, folded, isInkless, sequenceEnd } from './search-folding.js'

/** Text whose places lead back to the code points of another one. */
export interface Reading {
  readonly text: string
  /** Returns the index of the code point to which a UTF-16 index of the reading belongs. */
  indexAt(offset: number): number
  /** Returns the index after the last code point that belongs to the UTF-16 unit before an index of the reading. */
  endAt(offset: number): number
}

/** Returns the reading in which every code point is replaced by what `partOf` returns for it. */
export function readingOf(points: readonly string[], partOf: (point: string, index: number) => string): Reading {
  const indexes: number[] = []
  const parts = points.map((point, index) => {
    const part = partOf(point, index)
    for (let unit = 0; unit < part.length; unit++) indexes.push(index)
    return part
  })
  return {
    text: parts.join(''),
    indexAt: (offset) => indexes[offset] ?? points.length,
    endAt: (offset) => (indexes[offset - 1] ?? points.length - 1) + 1,
  }
}

/** Like `readingOf`, of characters with all that belongs to them; undefined parts are read character by character. */
export function foldedReading(
  points: readonly string[],
  folding: Folding,
  replacedBy: (index: number) => string | undefined,
): Reading {
  const [starts, ends, parts] = [[] as number[], [] as number[], [] as string[]]
  for (let at = 0; at < points.length; ) {
    const replacement = replacedBy(at)
    const end = replacement === undefined ? sequenceEnd(points, at) : at + 1
    const part = replacement ?? folded(end === at + 1 ? (points[at] ?? '') : points.slice(at, end).join(''), folding)
    for (let unit = 0; unit < part.length; unit++) {
      const start = Math.min(at + unit, end - 1)
      starts.push(start)
      ends.push(unit === part.length - 1 ? end : start + 1)
    }
    parts.push(part)
    at = end
  }
  return {
    text: parts.join(''),
    indexAt: (offset) => starts[offset] ?? points.length,
    endAt: (offset) => ends[offset - 1] ?? points.length,
  }
}

export interface LineEnds {
  /** Indexes of characters without ink, and of the line breaks behind soft hyphens. */
  readonly soft: ReadonlySet<number>
  /** Indexes of the last hyphens of lines. */
  readonly hyphens: ReadonlySet<number>
  /** Indexes of the characters from these hyphens to the next line. */
  readonly breaks: ReadonlySet<number>
}

const softHyphen = '\u00ad'
/** Number of line breaks behind a line, which may be the end of a block too. */
const breaksMax = 2

export const isHyphen = (point: string | undefined): boolean =>
  point === '-' || point === '\u2010' || point === '\u2011'

/** Finds where lines end in hyphens: those of the word, or of its division. */
export function lineEndsOf(points: readonly string[]): LineEnds {
  const [soft, hyphens, breaks] = [new Set<number>(), new Set<number>(), new Set<number>()]
  for (const [index, point] of points.entries()) {
    if (point === softHyphen) for (const at of [index, ...breaksAfter(points, index + 1)]) soft.add(at)
    else if (isInkless(point)) soft.add(index)
    if (!isHyphen(point)) continue
    const isSpaced = points[index + 1] === ' '
    const after = breaksAfter(points, index + (isSpaced ? 2 : 1))
    if (after.length === 0) continue
    hyphens.add(index)
    for (const at of isSpaced ? [index + 1, ...after] : after) breaks.add(at)
  }
  return { soft, hyphens, breaks }
}

function breaksAfter(points: readonly string[], from: number): readonly number[] {
  const found: number[] = []
  for (let at = from; at < from + breaksMax && points[at] === '\n'; at++) found.push(at)
  return found
}
