// Searches the text of a document (`doc.search`), page by page from a starting page, until a slice is full or its time is
// over. It continues where the last slice ended.
import { JobRefusal } from '../contract/job-refusal.js'
import type { SearchMatch, SearchQuery, SearchSlice } from '../contract/search.js'
import type { OpenDocument } from '../document/open-document.js'
import { Reading } from '../document/reading.js'
import { limits } from '../limits.js'
import { readCharacters } from '../pages/page-characters.js'
import { withoutRepeated } from '../pages/repeated-places.js'
import { compilePattern, type SearchPattern, type TextMatch } from '../pages/search-pattern.js'
import { searchedText } from '../pages/searched-text.js'
import { segmentsOf } from '../pages/text-segments.js'
import type { Job, OnDocument } from './job.js'

export interface SearchInput extends OnDocument {
  readonly query: SearchQuery
  /** True: with the text around each match. */
  readonly isFull: boolean
  /** Object number of the page to begin with; the search goes on from the first page behind the last one. */
  readonly from?: number | undefined
  /** Number of pages that earlier slices searched. */
  readonly skip: number
  readonly pagesMax: number
  /** Number of matches after which a slice ends, with all matches of its last page. */
  readonly matchesMax: number
}

export interface SearchAnswer extends Omit<SearchSlice, 'nextCursor'> {
  readonly isOver: boolean
}

const contextCharacters = 40

export const search: Job<SearchInput, SearchAnswer> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 20 },
  run(input, { open, limits: { glyphsMax, itemsMax } }) {
    const document = open(input.source)
    const pattern = compilePattern(input.query)
    const pages = inSearchOrder(document, input.from)
    const end = performance.now() + limits.searchSliceMs
    const matches: SearchMatch[] = []
    let searched = Math.min(input.skip, pages.length)
    const last = Math.min(pages.length, searched + input.pagesMax)
    while (searched < last && matches.length < input.matchesMax) {
      const page = pages[searched]
      if (page === undefined) break
      matches.push(...matchesOn(page, { document, pattern, glyphsMax, itemsMax, isFull: input.isFull }))
      searched += 1
      if (performance.now() >= end) break
    }
    return { matches, pagesSearched: searched, pageCount: pages.length, isOver: searched >= pages.length }
  },
}

function inSearchOrder(document: OpenDocument, from: number | undefined): readonly number[] {
  const pages = document.pages
  const at = from === undefined ? 0 : pages.indexOf(from)
  if (at < 0) throw new JobRefusal('NotFound', `There is no page obj:${from}`)
  return [...pages.slice(at), ...pages.slice(0, at)]
}

interface PageSearch {
  readonly document: OpenDocument
  readonly pattern: SearchPattern
  readonly isFull: boolean
  readonly glyphsMax: number
  readonly itemsMax: number
}

function matchesOn(page: number, search: PageSearch): readonly SearchMatch[] {
  const { document, pattern, isFull, glyphsMax, itemsMax } = search
  return document.withContent(page, (content) => {
    const { text: all, columnBreaks } = searchedText(content)
    const text = all.slice(0, limits.textCharactersMax)
    const found: TextMatch[] = []
    for (const match of pattern.matches({ text, columnBreaks })) {
      found.push(match)
      if (found.length > limits.pageMatchesMax) throw tooMany(page)
    }
    if (found.length === 0) return []
    // Places are read only on pages with a match.
    const characters = readCharacters(content, new Reading(document, itemsMax).spaceOf(page), glyphsMax)
    const points = isFull ? [...text] : []
    const placed = found.map((match) => ({ ...match, segments: [...segmentsOf(characters, match)] }))
    // A match of line breaks alone has no place.
    const placeOf = (match: TextMatch & Pick<SearchMatch, 'segments'>) =>
      match.segments.length > 0 ? match.segments : match.start
    return withoutRepeated(placed, placeOf).map((match) => ({
      page: { kind: 'objectNumber' as const, objectNumber: page },
      ...match,
      ...(isFull ? { snippet: snippetOf(points, match) } : {}),
    }))
  })
}

const tooMany = (page: number) =>
  new JobRefusal('PayloadTooLarge', `The page obj:${page} has more than ${limits.pageMatchesMax} matches`, {
    limit: 'pageMatchesMax',
    max: limits.pageMatchesMax,
  })

function snippetOf(points: readonly string[], { start, count }: TextMatch): NonNullable<SearchMatch['snippet']> {
  const text = (from: number, to: number) => points.slice(from, to).join('').replace(/\s+/gu, ' ')
  const end = start + count
  return {
    before: text(Math.max(0, start - contextCharacters), start),
    match: text(start, end),
    after: text(end, end + contextCharacters),
  }
}
