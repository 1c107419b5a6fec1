// `redactions.apply`: removes everything under redaction annotations, and with it every earlier state of the layer:
// its base file is rewritten.

import { AnnotatedPage } from '../annotations/annotated-page.js'
import { pageMeta, requestedPages } from '../assembly/requested-pages.js'
import type { Change } from '../change/change.js'
import { opWork } from '../change/op-work.js'
import type { AnnotationRef } from '../contract/annotation-ref.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { RedactionsApply } from '../contract/ops/redactions-apply.js'
import { pageRef } from '../contract/page-ref.js'
import type { PageSpace } from '../document/page-space.js'
import { alsoFound } from '../redaction/also-found.js'
import { dropStructureDescriptions } from '../redaction/descriptions.js'
import { dropUndrawn } from '../redaction/drop-undrawn.js'
import { isMark, isSeen, type Mark, markOf } from '../redaction/marks.js'
import { proveRedacted } from '../redaction/prove-redacted.js'
import { type RedactedPage, redactPage } from '../redaction/redact-page.js'
import type { RemovedCount } from '../redaction/removed-counts.js'
import { SearchClock } from '../redaction/search-clock.js'
import { FontMeasures } from '../redaction/text/font-measures.js'

export const work = opWork(RedactionsApply, {
  apply({ pages: pageRefs, annotations }, change) {
    if (pageRefs !== undefined && annotations !== undefined) {
      throw new JobRefusal('InvalidArg', 'Name pages or annotations, not both')
    }
    change.cannotBeUndone()
    const pages = annotations === undefined ? pagesIn(change, pageRefs) : pagesOf(annotations)
    const redacted = redactPages(change, pages, (page) =>
      annotations === undefined ? marksOn(page) : named(page, annotations),
    )
    if (redacted.size > 0) finish(change, redacted)
    const results = pages.map((number) => ({
      page: pageRef(number),
      status: redacted.has(number) ? ('applied' as const) : ('unchanged' as const),
      removedAnnotationCount: redacted.get(number)?.removedAnnotationCount ?? 0,
    }))
    const words = [...redacted.values()].flatMap((page) => page.words)
    const clock = new SearchClock()
    const found = alsoFound(change, words, clock)
    return {
      type: 'redactions.apply' as const,
      scope: annotations === undefined ? { pages: pages.map(pageRef) } : { annotations },
      results,
      removedAnnotationCount: results.reduce((sum, { removedAnnotationCount }) => sum + removedAnnotationCount, 0),
      removedWhole: [...redacted].flatMap(([number, { removedWhole }]) =>
        removedWhole.map((counted) => ({
          page: pageRef(number),
          ...inPageSpace(counted, change.reading().spaceOf(number)),
        })),
      ),
      alsoFound: [...found],
      alsoFoundComplete: clock.wasEnough,
      meta: pageMeta(redacted.keys()),
    }
  },
})

const inPageSpace = ({ kind, count, characters }: RemovedCount, space: PageSpace) => ({
  kind,
  count,
  ...(characters && { characters: characters.map(({ text, rect }) => ({ text, rect: space.toPageBox(rect) })) }),
})

/** Returns the pages with marks. */
function redactPages(
  change: Change,
  pages: readonly number[],
  marksOf: (page: AnnotatedPage) => readonly Mark[],
): ReadonlyMap<number, RedactedPage> {
  const redacted = new Map<number, RedactedPage>()
  let measures: FontMeasures | undefined
  try {
    for (const number of pages) {
      const page = new AnnotatedPage(change, number)
      const marks = marksOf(page)
      if (marks.length === 0) continue
      change.touch(change.document.pageObject(number))
      measures ??= new FontMeasures(change, number)
      redacted.set(number, redactPage(page, marks, measures))
    }
  } finally {
    measures?.destroy()
  }
  return redacted
}

function finish(change: Change, redacted: ReadonlyMap<number, RedactedPage>): void {
  dropStructureDescriptions(change, new Set(redacted.keys()))
  dropUndrawn(change, new Set([...redacted.values()].flatMap(({ drawn }) => [...drawn])))
  change.rewrite((written) => proveRedacted(written, [...redacted.values()]))
}

const pagesIn = (change: Change, refs = change.document.pages.map(pageRef)): readonly number[] => [
  ...requestedPages(change, refs),
]

const pagesOf = (refs: readonly AnnotationRef[]): readonly number[] => [
  ...new Set(refs.map(({ page }) => page.objectNumber)),
]

const marksOn = (page: AnnotatedPage): readonly Mark[] =>
  page.siblings.entries.filter((found) => isMark(found) && isSeen(found)).flatMap((found) => markOf(page, found) ?? [])

/** Returns the named marks. Throws `NotFound`, and `InvalidArg` for an annotation that is not a redaction mark. */
function named(page: AnnotatedPage, refs: readonly AnnotationRef[]): readonly Mark[] {
  const here = refs.filter((ref) => ref.page.objectNumber === page.page).map((ref) => page.find(ref))
  return [...new Set(here)].map((found) => {
    const mark = markOf(page, found)
    if (mark === undefined) throw new JobRefusal('InvalidArg', 'Only redaction annotations can be applied')
    return mark
  })
}
