// Checks the written file: only what the marks themselves draw may be left under them.

import { JobRefusal } from '../contract/job-refusal.js'
import type { OpenDocument } from '../document/open-document.js'
import { readingLimits } from '../objects/reading-limits.js'
import { rectangleOf } from '../objects/rectangles.js'
import { elementsOf, entry, isDictionary, isMissing, nameOf } from '../objects/values.js'
import { inspectRegion } from './inspect-region.js'
import type { RedactedPage } from './redact-page.js'

/** Throws `MalformedPdf` if anything else is left. */
export function proveRedacted(written: OpenDocument, pages: readonly RedactedPage[]): void {
  for (const page of pages) {
    if (isLeft(written, page)) throw new JobRefusal('MalformedPdf', 'The page cannot be redacted')
  }
}

function isLeft(written: OpenDocument, { page, region, shown, blanks }: RedactedPage): boolean {
  const object = written.pageObject(page)
  if (!isMissing(entry(object, 'Thumb'))) return true
  for (const annotation of elementsOf(entry(object, 'Annots'), readingLimits.annotsLengthMax)) {
    if (!isDictionary(annotation)) continue
    const rect = rectangleOf(entry(annotation, 'Rect'))
    const isAside = ['Redact', 'Popup'].includes(nameOf(entry(annotation, 'Subtype')) ?? '')
    if (!isAside && (rect === undefined || region.meets(rect))) return true
  }
  const { text, images, drawings } = written.withContent(page, (loaded) => inspectRegion(loaded, region, { blanks }))
  return text !== shown.text || images !== shown.images || drawings !== shown.drawings
}
