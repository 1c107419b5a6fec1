// Makes a search pattern of a function that finds spans in a text.
import { isInkless, plainCharacter } from '../../pages/search-folding.js'
import type { SearchPattern } from '../../pages/search-pattern.js'
import { readingOf } from '../../pages/search-readings.js'

/** Span of a text in UTF-16 units. */
export type Span = readonly [start: number, end: number]

/** Yields spans in order, without overlaps. */
export type FindSpans = (text: string) => Iterable<Span>

/** Digits and separators of any script count as those of ASCII; characters without ink do not count. */
export const patternOf = (find: FindSpans): SearchPattern => ({
  *matches({ text }) {
    const reading = readingOf([...text], (point) => (isInkless(point) ? '' : plainCharacter(point)))
    for (const [from, to] of find(reading.text)) {
      const start = reading.indexAt(from)
      yield { start, count: reading.endAt(to) - start }
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
