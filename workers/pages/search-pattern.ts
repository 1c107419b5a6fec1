// Finds the matches of a query in the text of a page. Patterns of people run in an engine without backtracking (RE2), up
// to a size; a literal text becomes a pattern of its own, over text without the differences that do not count.
import { RE2JS } from 're2js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { SearchQuery } from '../contract/search.js'
import { isLetterSpaced, withoutInsides } from './letter-spacing.js'
import { isInkless } from './search-folding.js'
import { foldedReading, isHyphen, lineEndsOf, type Reading, readingOf } from './search-readings.js'
import { none, type SearchedText } from './searched-text.js'

/** Match in code points of the text. */
export interface TextMatch {
  readonly start: number
  readonly count: number
}

export interface SearchPattern {
  /** Yields matches that are not empty, in order, without overlaps. */
  matches(searched: SearchedText): Iterable<TextMatch>
}

type Span = readonly [from: number, to: number]
type FindSpans = (text: string) => Iterable<Span>

/**
 * Throws `InvalidArg` for a pattern that cannot be compiled or is too large, or a text of which nothing is left to find.
 * `pointer`: the member of the request that contains it.
 */
export function compilePattern(query: SearchQuery, pointer = '/q'): SearchPattern {
  const find = query.regex ? spansOfPattern(query, pointer) : spansOfText(query, pointer)
  // A pattern says itself where white space may be.
  const findApart = query.regex || query.ignoreWhitespace ? undefined : spansSetApart(query, pointer)
  return {
    *matches({ text, columnBreaks }) {
      const points = [...text]
      const found: Span[] = []
      // Text in columns is read both ways: a table may have columns of single characters too.
      for (const skipped of columnBreaks.size > 0 ? [none, columnBreaks] : [none]) {
        for (const reading of query.regex ? patternReadings(points, skipped) : [textReading(points, query, skipped)]) {
          for (const [from, to] of find(reading.text)) {
            const span: Span = [reading.indexAt(from), reading.endAt(to)]
            if (!query.wholeWord || isWhole(points, span, skipped)) found.push(span)
          }
        }
      }
      for (const span of findApart?.(points) ?? [])
        if (!query.wholeWord || isWhole(points, span, none)) found.push(span)
      for (const [start, end] of united(found)) yield { start, count: end - start }
    },
  }
}

/** Joins spans that overlap: readings may find more or less of the same place. */
function united(spans: readonly Span[]): readonly Span[] {
  const joined: [number, number][] = []
  for (const [from, to] of spans.toSorted((one, other) => one[0] - other[0])) {
    const last = joined.at(-1)
    if (last !== undefined && from < last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

/**
 * Maximum size of a compiled pattern, in instructions: in the worst case one of this size takes two seconds of processor
 * time for each of the three readings of a page of 300,000 characters.
 */
const programSizeMax = 1_000

function spansOfPattern({ text, matchCase }: SearchQuery, pointer: string): FindSpans {
  const pattern = compiled(text, matchCase ? RE2JS.MULTILINE : RE2JS.MULTILINE | RE2JS.CASE_INSENSITIVE, pointer)
  return function* (page) {
    const matcher = pattern.matcher(page)
    while (matcher.find()) if (matcher.end() > matcher.start()) yield [matcher.start(), matcher.end()]
  }
}

function compiled(text: string, flags: number, pointer: string): RE2JS {
  let pattern: RE2JS
  try {
    pattern = RE2JS.compile(text, flags)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // The compiler writes its flags before the pattern, and quotes them with it.
    const why = reason.replace('error parsing regexp: ', '').replace(/`\(\?m\)(\(\?i\))?/, '`')
    throw new JobRefusal('InvalidArg', `The pattern cannot be used: ${why}`, { pointer })
  }
  const size = pattern.programSize()
  if (size <= programSizeMax) return pattern
  const message = `The pattern is too large: it compiles to ${size} steps, at most ${programSizeMax} are allowed; repeat fewer times`
  throw new JobRefusal('InvalidArg', message, { pointer })
}

/** Returns the text as it is, and without the line breaks within words: without and with the hyphens before them. */
function patternReadings(points: readonly string[], skipped: ReadonlySet<number>): readonly Reading[] {
  const { soft, hyphens, breaks } = lineEndsOf(points)
  const without = (...dropped: readonly ReadonlySet<number>[]) =>
    readingOf(points, (point, index) => (dropped.some((some) => some.has(index)) ? '' : point))
  if (hyphens.size > 0)
    return [without(skipped), without(skipped, soft, breaks, hyphens), without(skipped, soft, breaks)]
  return soft.size > 0 ? [without(skipped), without(skipped, soft)] : [without(skipped)]
}

/** Stands for a hyphen at the end of a line, and for the line break after it; no text contains it. */
const lineEnd = '\uffff'

/** Returns the text without characters that have no ink, and without the differences of letters that do not count. */
function textReading(points: readonly string[], query: SearchQuery, skipped: ReadonlySet<number>): Reading {
  const { soft, hyphens, breaks } = lineEndsOf(points)
  return foldedReading(points, query, (index) => {
    if (soft.has(index) || breaks.has(index) || skipped.has(index)) return ''
    return hyphens.has(index) ? lineEnd : undefined
  })
}

/**
 * No place of the text matches two parts of the pattern that follow each other: the time of a search is at most the
 * product of both lengths.
 */
function spansOfText(query: SearchQuery, pointer: string): FindSpans {
  const words = foldedReading([...query.text], { ...query, ignoreWhitespace: false }, () => undefined)
    .text.split(/\s+/u)
    .filter((word) => word !== '')
  if (words.length === 0) throw new JobRefusal('InvalidArg', 'The search has no text', { pointer })
  const written = query.ignoreWhitespace
    ? closelyWritten(words.join(''))
    : words.map((word, index) => writtenWord(word, index < words.length - 1)).join('')
  // A letter with an accent is another one if accents count.
  const pattern = new RegExp(query.matchDiacritics ? `${written}(?!\\p{M})` : written, 'gu')
  return function* (page) {
    for (const { index, 0: found } of page.matchAll(pattern)) yield [index, index + found.length]
  }
}

/** Finds a text with its letters set apart. */
function spansSetApart(query: SearchQuery, pointer: string): (points: readonly string[]) => Iterable<Span> {
  const close = { ...query, ignoreWhitespace: true }
  const find = spansOfText(close, pointer)
  return function* (points) {
    const reading = textReading(withoutInsides(points), close, none)
    for (const [from, to] of find(reading.text)) {
      const span: Span = [reading.indexAt(from), reading.endAt(to)]
      if (isLetterSpaced(points, span)) yield span
    }
  }
}

/**
 * Writes the pattern of a word, which may be divided at the end of a line by a hyphen of its own or by another one.
 * `isFollowed`: with the white space after it.
 */
function writtenWord(word: string, isFollowed: boolean): string {
  const points = [...word]
  const written = points.map((point, index) => {
    if (!isHyphen(point)) return `${index > 0 ? `${lineEnd}?` : ''}${escaped(point)}`
    const isLast = isFollowed && index === points.length - 1
    return isLast ? `(?:-\\s+|${lineEnd}\\s*)` : `[-${lineEnd}]`
  })
  return isFollowed && !isHyphen(points.at(-1)) ? `${written.join('')}\\s+` : written.join('')
}

/** Writes the pattern of a text without white space. */
const closelyWritten = (text: string): string =>
  [...text]
    .map((point, index) => {
      if (isHyphen(point)) return `[-${lineEnd}]`
      return index > 0 ? `${lineEnd}{0,64}${escaped(point)}` : escaped(point)
    })
    .join('')

const escaped = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&')

/** `skipped`: indexes of characters that are not part of the text. */
function isWhole(points: readonly string[], [start, end]: Span, skipped: ReadonlySet<number>): boolean {
  let [before, after] = [start - 1, end]
  while (skipped.has(before) || isInkless(points[before])) before--
  while (skipped.has(after) || isInkless(points[after])) after++
  return !isOfWord(points[before]) && !isOfWord(points[after])
}

const isOfWord = (point: string | undefined): boolean => point !== undefined && /[\p{L}\p{N}\p{M}_]/u.test(point)
