// Reports what `annotations.mark` would mark, without marking it (`doc.annotations.previewMarks`).
import { MarkBudget } from '../change/mark-budget.js'
import type { MarkKind, MarkReport, PreviewedMark, Sought } from '../contract/marking.js'
import type { PageRef } from '../contract/page-ref.js'
import { pageRef } from '../contract/page-ref.js'
import { Reading } from '../document/reading.js'
import { findMarks } from '../marking/find-marks.js'
import type { Job, OnDocument } from './job.js'

export interface MarksInput extends OnDocument {
  readonly sought: Sought
  readonly kind: MarkKind
  /** Default: all pages. */
  readonly pages?: readonly PageRef[] | undefined
}

export interface MarksAnswer extends MarkReport {
  readonly marks: readonly PreviewedMark[]
}

export const marks: Job<MarksInput, MarksAnswer> = {
  kind: 'read',
  deadline: { constantMs: 15_000, perMegabyteMs: 20 },
  run({ source, sought, kind, pages: refs }, { open, limits }) {
    const document = open(source)
    const pages = new Set(refs?.map(({ objectNumber }) => objectNumber) ?? document.pages)
    for (const page of pages) document.indexOf(page)
    const reading = new Reading(document, limits.itemsMax)
    const { found, report } = findMarks(reading, { sought, kind, pages, budget: new MarkBudget() })
    const places = found.flatMap(({ page, places }) =>
      places.map((quadPoints) => ({ page: pageRef(page), quadPoints: [...quadPoints] })),
    )
    return { ...report, marks: places }
  },
}
