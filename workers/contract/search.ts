// Schemas of a search in the text of one document, in slices. The shapes are those of the published CloudPDF clients.
import { type Static, Type } from 'typebox'
import { Nullable } from './nullable.js'
import { CountFromZero } from './numbers.js'
import { PageBox } from './page-box.js'
import { PageQuad } from './page-quad.js'
import { PageRef } from './page-ref.js'

export interface SearchQuery {
  /** Text to find, or the pattern (RE2 syntax) if `regex` is set. */
  readonly text: string
  readonly regex: boolean
  readonly matchCase: boolean
  readonly matchDiacritics: boolean
  readonly wholeWord: boolean
  readonly ignoreWhitespace: boolean
}

/** Part of a match in one line. */
export const TextSegment = Type.Object({
  /** Corners along the direction of writing. */
  quad: PageQuad,
  /** Upright box around the corners. */
  rect: PageBox,
  /** -1 if the characters run against the direction of writing. */
  advance: Type.Union([Type.Literal(1), Type.Literal(-1)]),
})
export type TextSegment = Static<typeof TextSegment>

export const SearchMatch = Type.Object({
  page: PageRef,
  /** Number of the first character in the text of the page. */
  start: CountFromZero,
  /** Number of characters. */
  count: Type.Integer({ minimum: 1 }),
  segments: Type.Array(TextSegment),
  /** The match and the text around it, with spaces for line breaks. */
  snippet: Type.Optional(Type.Object({ before: Type.String(), match: Type.String(), after: Type.String() })),
})
export type SearchMatch = Static<typeof SearchMatch>

export const SearchSlice = Type.Object({
  matches: Type.Array(SearchMatch),
  /** Continues the search; null = every page was searched. */
  nextCursor: Nullable(Type.String()),
  /** Number of pages searched so far. */
  pagesSearched: CountFromZero,
  pageCount: CountFromZero,
})
export type SearchSlice = Static<typeof SearchSlice>
