// Checks the written file: only what the marks themselves draw may be left under them, and everything beside them is as
// it was.

import { JobRefusal } from '../contract/job-refusal.js'
import { pageRef } from '../contract/page-ref.js'
import type { OpenDocument } from '../document/open-document.js'
import { readingLimits } from '../objects/reading-limits.js'
import { rectangleOf } from '../objects/rectangles.js'
import { elementsOf, entry, isDictionary, isMissing, nameOf } from '../objects/values.js'
import { differenceOf } from './compare-drawn.js'
import { inspectPage } from './inspect-region.js'
import type { RedactedPage } from './redact-page.js'

/** Throws `MalformedPdf` if anything else is left, or differs. */
export function proveRedacted(written: OpenDocument, pages: readonly RedactedPage[]): void {
  for (const page of pages) {
    if (hasLeft(written, page)) throw new JobRefusal('MalformedPdf', 'The page cannot be redacted')
    proveContent(written, page)
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

function proveContent(written: OpenDocument, { page, region, blanks, before, left, overlays }: RedactedPage): void {
  const after = inspectPage(written, page, region, { blanks })
  const refuse = (message: string, details: object = {}): never => {
    throw new JobRefusal('MalformedPdf', message, { page: pageRef(page), ...details })
  }
  const counts = (['images', 'drawings'] as const).filter((kind) => after[kind] !== overlays[kind])
  if (withoutLines(after.text) !== withoutLines(overlays.text)) refuse('Some text under the marks cannot be removed')
  if (counts.length > 0) refuse('Some content under the marks cannot be removed', { kinds: counts })
  const difference = differenceOf({ before, after: after.things, overlays: overlays.things, left })
  if (difference !== undefined) refuse('Some content beside the marks would change', { difference })
}

const withoutLines = (text: string): string => text.replaceAll('\n', '')
