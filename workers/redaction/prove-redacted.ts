// Checks the written file: it draws what was proven of each redacted page, and has nothing else under the marks.

import { JobRefusal } from '../contract/job-refusal.js'
import { pageRef } from '../contract/page-ref.js'
import type { OpenDocument } from '../document/open-document.js'
import { readingLimits } from '../objects/reading-limits.js'
import { rectangleOf } from '../objects/rectangles.js'
import { elementsOf, entry, isDictionary, isMissing, nameOf } from '../objects/values.js'
import { isSummaryOf } from './compare-drawn.js'
import { inspectPage } from './inspect-region.js'
import type { RedactedPage } from './redact-page.js'

/** Throws `MalformedPdf` if it does not. */
export function proveRedacted(written: OpenDocument, pages: readonly RedactedPage[]): void {
  for (const page of pages) {
    if (hasLeft(written, page) || !isAsProven(written, page))
      throw new JobRefusal('MalformedPdf', 'The page cannot be redacted', { page: pageRef(page.page) })
  }
}

function hasLeft(written: OpenDocument, { page, region }: RedactedPage): boolean {
  const object = written.pageObject(page)
  if (!isMissing(entry(object, 'Thumb'))) return true
  for (const annotation of elementsOf(entry(object, 'Annots'), readingLimits.annotsLengthMax)) {
    if (!isDictionary(annotation)) continue
    const rect = rectangleOf(entry(annotation, 'Rect'))
    const isAside = ['Redact', 'Popup'].includes(nameOf(entry(annotation, 'Subtype')) ?? '')
    if (!isAside && (rect === undefined || region.meets(rect))) return true
  }
  return false
}

function isAsProven(written: OpenDocument, { page, region, blanks, shown }: RedactedPage): boolean {
  const { text, images, drawings, things } = inspectPage(written, page, region, { blanks })
  const isLeft = text !== shown.text || images !== shown.images || drawings !== shown.drawings
  return !isLeft && isSummaryOf(shown.things, things)
}
