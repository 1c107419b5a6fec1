// Finds the matches of a query in the text of a page. Patterns of people run in an engine whose time grows with the text
// alone (RE2); a literal text becomes a pattern of its own, over text without the differences that do not count.
import { RE2JS } from 're2js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { SearchQuery } from '../contract/search.js'

/** Match in code points of the text. */
export interface TextMatch {
  readonly start: number
  readonly count: number
}

export interface SearchPattern {
  /** Yields matches that are not empty, in order, without overlaps. */
  matches(text: string): Iterable<TextMatch>
}

/**
 * Throws `InvalidArg` for a pattern that cannot be compiled, or a text of which nothing is left to find. `pointer`: the
 * member of the request that contains it.
 */
export function compilePattern(query: SearchQuery, pointer = '/q'): SearchPattern {
  const spans = query.regex ? spansOfPattern(query, pointer) : spansOfText(query, pointer)
  return {
    *matches(text) {
      const folded = fold(text, query)
      for (const [from, to] of spans(folded.text)) {
        const [start, end] = [folded.indexAt(from), folded.indexAt(to - 1) + 1]
        if (!query.wholeWord || isWhole(folded.points, start, end)) yield { start, count: end - start }
      }
    },
  }
}

type Spans = (text: string) => Iterable<readonly [from: number, to: number]>

function spansOfPattern({ text, matchCase }: SearchQuery, pointer: string): Spans {
  const pattern = compiled(text, matchCase ? RE2JS.MULTILINE : RE2JS.MULTILINE | RE2JS.CASE_INSENSITIVE, pointer)
  return function* (page) {
    const matcher = pattern.matcher(page)
    while (matcher.find()) if (matcher.end() > matcher.start()) yield [matcher.start(), matcher.end()]
  }
}

function compiled(text: string, flags: number, pointer: string): RE2JS {
  try {
    return RE2JS.compile(text, flags)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new JobRefusal('InvalidArg', `The pattern cannot be used: ${why}`, { pointer })
  }
}

/** A word may be divided at the end of a line, which may be the end of a block too. */
const division = '(?:[-\\u2010]\\n{1,2}|\\u00ad\\n{0,2})?'

function spansOfText(query: SearchQuery, pointer: string): Spans {
  const { ignoreWhitespace } = query
  const words = fold(query.text, query)
    .text.split(/\s+/u)
    .filter((word) => word !== '')
  if (words.length === 0) throw new JobRefusal('InvalidArg', 'The search has no text', { pointer })
  const [within, between] = ignoreWhitespace ? ['(?:[-\\u2010]\\n|\\u00ad|\\s)*', ''] : [division, '\\s+']
  const written = (ignoreWhitespace ? [words.join('')] : words).map((word) => [...word].map(escaped).join(within))
  const pattern = new RegExp(written.join(between), 'gu')
  return function* (page) {
    for (const { index, 0: found } of page.matchAll(pattern)) yield [index, index + found.length]
  }
}

const escaped = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&')

interface Folded {
  readonly text: string
  /** Code points of the text before folding. */
  readonly points: readonly string[]
  /** Returns the index of the code point to which a UTF-16 index of the folded text belongs. */
  indexAt(offset: number): number
}

/** Removes the differences of letters that do not count. Patterns see the text as it is. */
function fold(text: string, { regex, matchCase, matchDiacritics }: SearchQuery): Folded {
  const points = [...text]
  const indexes: number[] = []
  const parts = points.map((point, index) => {
    const part = regex ? point : foldPoint(point, { matchCase, matchDiacritics })
    for (let unit = 0; unit < part.length; unit++) indexes.push(index)
    return part
  })
  return { text: parts.join(''), points, indexAt: (offset) => indexes[offset] ?? points.length }
}

function foldPoint(
  point: string,
  { matchCase, matchDiacritics }: Pick<SearchQuery, 'matchCase' | 'matchDiacritics'>,
): string {
  if (point >= ' ' && point <= '~') return matchCase ? point : point.toLowerCase()
  const shaped = matchDiacritics ? point.normalize('NFKC') : point.normalize('NFKD').replace(/\p{M}/gu, '')
  return matchCase ? shaped : shaped.toLowerCase()
}

function isWhole(points: readonly string[], start: number, end: number): boolean {
  return !isOfWord(points[start - 1]) && !isOfWord(points[end])
}

const isOfWord = (point: string | undefined): boolean => point !== undefined && /[\p{L}\p{N}\p{M}_]/u.test(point)
