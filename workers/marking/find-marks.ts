// Finds what is to be marked, page by page, and counts it for the report.
import type { MarkBudget } from '../change/mark-budget.js'
import type { MarkKind, MarkReport, PageMarkCounts, Sought, Unseen } from '../contract/marking.js'
import type { PageQuad } from '../contract/page-quad.js'
import { pageRef } from '../contract/page-ref.js'
import type { Reading } from '../document/reading.js'
import { withoutRepeated } from '../pages/repeated-places.js'
import { compileSought } from './compile-sought.js'
import { MarkedPlaces } from './marked-places.js'
import { hitsOn } from './page-hits.js'

export interface MarkSearch {
  readonly sought: Sought
  readonly kind: MarkKind
  /** Object numbers. */
  readonly pages: Iterable<number>
  readonly budget: MarkBudget
}

export interface PageMarks {
  readonly page: number
  /** Quads of each new mark. */
  readonly places: readonly (readonly PageQuad[])[]
}

export interface FoundMarks {
  /** Pages with new marks. */
  readonly found: readonly PageMarks[]
  /** Counts as they are once the marks are made. */
  readonly report: MarkReport
}

/** Throws `InvalidArg`, and `PayloadTooLarge` for more hits or time than the budget has. */
export function findMarks(reading: Reading, { sought, kind, pages, budget }: MarkSearch): FoundMarks {
  const pattern = compileSought(sought)
  const found: PageMarks[] = []
  const counted: PageMarkCounts[] = []
  for (const page of pages) {
    const { hits: all, unseen } = budget.search(page, () => hitsOn(reading, page, { pattern, kind }))
    const hits = withoutRepeated(all, (quads) => quads)
    budget.takeHits(hits.length, page)
    const marked = hits.length === 0 ? undefined : new MarkedPlaces(reading, page, kind)
    const places = hits.filter((hit) => !marked?.has(hit))
    if (places.length > 0) found.push({ page, places })
    const skipped = hits.length - places.length
    counted.push({ page: pageRef(page), hits: hits.length, marked: places.length, skipped, unseen })
  }
  return { found, report: reportOf(counted) }
}

function reportOf(counted: readonly PageMarkCounts[]): MarkReport {
  const sum = (count: (page: PageMarkCounts) => number) => counted.reduce((all, page) => all + count(page), 0)
  const unseen = (name: keyof Unseen) => sum((page) => page.unseen[name])
  return {
    total: {
      pages: counted.length,
      hits: sum(({ hits }) => hits),
      marked: sum(({ marked }) => marked),
      skipped: sum(({ skipped }) => skipped),
      unseen: {
        hiddenCharacters: unseen('hiddenCharacters'),
        unreadableCharacters: unseen('unreadableCharacters'),
        pictures: unseen('pictures'),
        drawings: unseen('drawings'),
        annotations: unseen('annotations'),
        fields: unseen('fields'),
      },
    },
    pages: counted.filter(({ hits, unseen }) => hits > 0 || Object.values(unseen).some((count) => count > 0)),
  }
}
