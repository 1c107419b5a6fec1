// Finds other occurrences of redacted words and returns their page or object and a count, so that users can continue
// there. The words themselves never leave the worker.

import type { Change } from '../change/change.js'
import type { AlsoFound } from '../contract/ops/redactions-apply.js'
import { pageRef } from '../contract/page-ref.js'
import type { SearchClock } from './search-clock.js'
import type { Texts } from './stored-texts.js'
import { textsStoredWithPage } from './stored-texts.js'
import { annotationTexts, textsElsewhere } from './texts-elsewhere.js'

/** Minimum length of a word; shorter ones occur everywhere. */
const wordCharactersMin = 4

/**
 * Searches the document. `words`: removed text, by lines. Results are incomplete if `clock` runs out: the last pages
 * are missing first.
 */
export function alsoFound(change: Change, words: readonly string[], clock: SearchClock): readonly AlsoFound[] {
  const parts = words.flatMap((line) => normalised(line).split(/[^\p{L}\p{N}]+/u))
  const wanted = [...new Set(parts.filter((part) => [...part].length >= wordCharactersMin))]
  if (wanted.length === 0) return []
  const search = { wanted, clock }
  const elsewhere = textsElsewhere.flatMap(([where, texts]) => searchPlace({ where }, search, () => texts(change)))
  const onPages = change.document.pages.flatMap((page) => {
    const onPage = { page: pageRef(page) }
    return [
      ...searchPlace({ where: 'pages', ...onPage }, search, () => [pageText(change, page)]),
      ...searchPlace({ where: 'annotations', ...onPage }, search, () => annotationTexts(change, page)),
      ...searchPlace({ where: 'metadata', ...onPage }, search, () =>
        textsStoredWithPage(change.document.pageObject(page)),
      ),
    ]
  })
  return [...onPages, ...elsewhere]
}

interface Search {
  readonly wanted: readonly string[]
  readonly clock: SearchClock
}

function searchPlace(place: Omit<AlsoFound, 'count'>, search: Search, texts: () => Texts): readonly AlsoFound[] {
  if (search.clock.isOver) return []
  const count = countIn(texts(), search)
  return count > 0 ? [{ ...place, count }] : []
}

const normalised = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

function countIn(texts: Texts, { wanted, clock }: Search): number {
  let count = 0
  for (const text of texts) {
    if (clock.isOver) break
    if (text === undefined) continue
    const searched = normalised(text)
    for (const one of wanted) {
      if (clock.isOver) break
      count += searched.split(one).length - 1
    }
  }
  return count
}

function pageText({ document }: Change, page: number): string {
  return document.withContent(page, (loaded) => {
    const structured = loaded.toStructuredText('')
    try {
      return structured.asText()
    } finally {
      structured.destroy()
    }
  })
}
