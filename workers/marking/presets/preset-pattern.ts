// Makes a search pattern of a function that finds spans in a text.
import type { SearchPattern } from '../../pages/search-pattern.js'

/** Span of a text in UTF-16 units. */
export type Span = readonly [start: number, end: number]

/** Yields spans in order, without overlaps. */
export type FindSpans = (text: string) => Iterable<Span>

export const patternOf = (find: FindSpans): SearchPattern => ({
  *matches({ text }) {
    let [unit, point] = [0, 0]
    const pointAt = (target: number): number => {
      while (unit < target) {
        unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1
        point += 1
      }
      return point
    }
    for (const [from, to] of find(text)) {
      const start = pointAt(from)
      yield { start, count: pointAt(to) - start }
    }
  },
})

/** True if a letter or digit stands directly before or after the span. */
export function isPartOfWord(text: string, [start, end]: Span): boolean {
  return (
    /[\p{L}\p{N}_]$/u.test(text.slice(Math.max(0, start - 2), start)) ||
    /^[\p{L}\p{N}_]/u.test(text.slice(end, end + 2))
  )
}
