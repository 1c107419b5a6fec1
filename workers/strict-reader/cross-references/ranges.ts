// Ranges of object numbers that a cross-reference section lists.
import { NotStrict } from '../strict-document.js'
import { strictLimits } from '../strict-limits.js'

export interface NumberRange {
  readonly first: number
  readonly count: number
  /** Position of its first entry: an offset in the file for a table, a row for a stream. */
  readonly position: number
}

/** Sorts the ranges of a section. Refuses a number that is listed twice, or is not below `/Size`. */
export function orderedRanges(
  ranges: readonly NumberRange[],
  { size, offset }: { readonly size: number; readonly offset: number },
): readonly NumberRange[] {
  const ordered = ranges.filter(({ count }) => count > 0).sort((one, other) => one.first - other.first)
  for (const [index, range] of ordered.entries()) {
    const next = ordered[index + 1]?.first ?? size
    if (range.first + range.count > next) {
      throw new NotStrict('A cross-reference section lists a number twice, or one that /Size excludes', offset)
    }
  }
  if (size > strictLimits.objectNumbersMax) throw new NotStrict('/Size is too large', offset)
  return ordered
}

export function rangeOf(ranges: readonly NumberRange[], number: number): NumberRange | undefined {
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const range = ranges[middle]
    if (range === undefined) return undefined
    if (number < range.first) high = middle - 1
    else if (number >= range.first + range.count) low = middle + 1
    else return range
  }
  return undefined
}

/** True if two sections list a number in common. */
export const doOverlap = (ranges: readonly NumberRange[], others: readonly NumberRange[]): boolean =>
  ranges.some(({ first, count }) => {
    const next = others.find((other) => other.first + other.count > first)
    return next !== undefined && next.first < first + count
  })
