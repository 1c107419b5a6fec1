// Finds other occurrences of redacted words and returns their page or object and a count, so that users can continue
// there. The words themselves never leave the worker.

import type { Change } from '../change/change.js'
import type { AlsoFound } from '../contract/ops/redactions-apply.js'
import { pageRef } from '../contract/page-ref.js'
import { orElse } from '../engine/trap.js'
import { layersOff, withLayersOn } from '../pages/every-layer.js'
import { LetterSpacedText } from '../pages/letter-spacing.js'
import { lineEndsOf, readingOf } from '../pages/search-readings.js'
import { type SearchedText, searchedText } from '../pages/searched-text.js'
import { contentDescriptions } from './content-descriptions.js'
import { comparable, wordsIn } from './removed-text.js'
import type { SearchClock } from './search-clock.js'
import type { Texts } from './stored-texts.js'
import { dateIn, textsStoredWithPage } from './stored-texts.js'
import { annotationTexts, textsElsewhere } from './texts-elsewhere.js'

/** Minimum length of a word; shorter ones occur everywhere. */
const wordCharactersMin = 4

/**
 * Searches the document. `words`: removed text, by lines. Results are incomplete if `clock` runs out: the last pages
 * are missing first.
 */
export function alsoFound(change: Change, words: readonly string[], clock: SearchClock): readonly AlsoFound[] {
  // Text that a program places character by character has a line for each of them.
  const lines = words.join('\n').replace(/(?<=(?:^|\n).)\n(?=.(?:\n|$))/gu, '')
  const parts = [...words, ...lines.split('\n')].flatMap(wordsIn)
  const wanted = [...new Set(parts.filter((part) => [...part].length >= wordCharactersMin))]
  if (wanted.length === 0) return []
  const search = { wanted, lines: lines.split('\n').map(normalised), clock }
  const elsewhere = textsElsewhere.flatMap(([where, texts]) => searchPlace({ where }, search, () => texts(change)))
  const onPages = change.document.pages.flatMap((page) => {
    const onPage = { page: pageRef(page) }
    return [
      ...searchPlace({ where: 'pages', ...onPage }, search, () => pageTexts(change, page), countInAny),
      ...searchPlace({ where: 'annotations', ...onPage }, search, () => annotationTexts(change, page)),
      ...searchPlace({ where: 'metadata', ...onPage }, search, () =>
        textsStoredWithPage(change.document.pageObject(page)),
      ),
      ...searchPlace({ where: 'alternate-text', ...onPage }, search, () => descriptionsOn(change, page, clock)),
    ]
  })
  return [...onPages, ...elsewhere]
}

interface Search {
  readonly wanted: readonly string[]
  /** The removed text, by lines. */
  readonly lines: readonly string[]
  readonly clock: SearchClock
}

function searchPlace(
  place: Omit<AlsoFound, 'count'>,
  search: Search,
  texts: () => Texts,
  count = countIn,
): readonly AlsoFound[] {
  if (search.clock.isOver) return []
  const found = count(texts(), search)
  return found > 0 ? [{ ...place, count: found }] : []
}

const normalised = (text: string): string => comparable(text).replace(/\s+/g, ' ').trim()

function countIn(texts: Texts, { wanted, lines, clock }: Search): number {
  let count = 0
  for (const text of texts) {
    if (clock.isOver) break
    if (text === undefined) continue
    const searched = normalised(text)
    const date = dateIn(searched)
    if (date !== undefined) {
      // Zeros and years of dates that programs write are in many numbers: only the date as a whole is an occurrence.
      if (lines.some((line) => line.includes(date))) count++
      continue
    }
    const letterSpaced = new LetterSpacedText(searched)
    for (const one of wanted) {
      if (clock.isOver) break
      count += searched.split(one).length - 1 + letterSpaced.count(one)
    }
  }
  return count
}

/** Counts in texts that are readings of the same place. */
const countInAny = (texts: Texts, search: Search): number => {
  let most = 0
  for (const text of texts) most = Math.max(most, countIn([text], search))
  return most
}

/**
 * Returns what the page contains, hidden or not: as readers copy it, and as it is drawn where /ActualText says something
 * else.
 */
function pageTexts({ document }: Change, page: number): Texts {
  const { pdf } = document
  return document.withContent(page, (loaded) =>
    withLayersOn(pdf, layersOff(pdf), () =>
      ['clip=0', 'clip=0,ignore-actualtext'].map((options) => withoutDivisions(searchedText(loaded, options))),
    ),
  )
}

/** Returns the text without the ends of lines within words. */
function withoutDivisions({ text, columnBreaks }: SearchedText): string {
  const points = [...text]
  const { soft, hyphens, breaks } = lineEndsOf(points)
  const dropped = [columnBreaks, soft, hyphens, breaks]
  return readingOf(points, (point, index) => (dropped.some((some) => some.has(index)) ? '' : point)).text
}

/** Forms that draw each other in a cycle cannot be read: then the search is not complete. */
function descriptionsOn({ document }: Change, page: number, clock: SearchClock): Texts {
  const found = orElse(undefined, () => [...contentDescriptions(document.pdf, document.pageObject(page))])
  if (found === undefined) clock.miss()
  return found ?? []
}
