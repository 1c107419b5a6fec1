// Search in the whole document, slice by slice.
import { MatchFlag, type PdfPageSearchProgress, type SearchAllPagesResult, type SearchResult } from '@embedpdf/models'
import type { SearchMatch, SearchSlice } from '../../../../workers/contract/search.js'
import type { OpenedDocument } from './opened-document.js'
import { rectOf } from './page-space.js'

export interface SearchRequest {
  readonly text: string
  readonly flags: readonly MatchFlag[]
  readonly signal: AbortSignal
  readonly report: (progress: PdfPageSearchProgress) => void
}

/** Results beyond this number are not looked for: nobody walks through them, and each is drawn. */
const resultsMax = 5_000

export async function search(
  opened: OpenedDocument,
  { text, flags, signal, report }: SearchRequest,
): Promise<SearchAllPagesResult> {
  // The text around a match is content that the reader may not have the right to copy.
  const path = `search/${opened.may('doc.text.copy') ? 'full' : 'rects'}/data`
  const query = new URLSearchParams({ q: text })
  if (flags.includes(MatchFlag.MatchCase)) query.set('matchCase', 'true')
  if (flags.includes(MatchFlag.MatchWholeWord)) query.set('wholeWord', 'true')
  const results: SearchResult[] = []
  let next = `${path}?${query}`
  for (;;) {
    const slice = await opened.json<SearchSlice>(next, { signal })
    const found = slice.matches.flatMap((match) => resultOf(opened, match))
    results.push(...found)
    report({ page: Math.max(slice.pagesSearched - 1, 0), results: found })
    if (slice.nextCursor === null || results.length >= resultsMax) return { results, total: results.length }
    next = `${path}@${slice.nextCursor}`
  }
}

/** Returns no result for a page that was added since the document was opened. */
function resultOf(opened: OpenedDocument, { page, start, count, segments, snippet }: SearchMatch): SearchResult[] {
  const pageIndex = opened.indexOf(page.objectNumber)
  if (pageIndex === undefined) return []
  const { userUnit } = opened.pageAt(pageIndex)
  const { before = '', match = '', after = '' } = snippet ?? {}
  return [
    {
      pageIndex,
      charIndex: start,
      charCount: count,
      rects: segments.map(({ rect }) => rectOf(rect, userUnit)),
      context: { before, match, after, truncatedLeft: before !== '', truncatedRight: after !== '' },
    },
  ]
}
