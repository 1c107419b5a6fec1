// Proves a redaction of a page's content: only what the marks themselves draw is under them, and everything beside them is
// as it was.
import type { Change } from '../change/change.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { pageRef } from '../contract/page-ref.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import { differenceOf } from './compare-drawn.js'
import { contentDescriptions } from './content-descriptions.js'
import type { DrawnThing } from './drawn-record.js'
import type { InspectionResult } from './inspect-region.js'

export interface ContentProof {
  readonly before: readonly DrawnThing[]
  readonly after: InspectionResult
  /** What the marks themselves draw. */
  readonly overlays: InspectionResult
  /** Places, in the space of devices, of glyphs that left and were drawn with paths and pictures. */
  readonly left: readonly PdfRect[]
}

/** Throws `MalformedPdf`, with what stands in the way. */
export function proveContent(page: number, { before, after, overlays, left }: ContentProof): void {
  const refuse = (message: string, details: object = {}): never => {
    throw new JobRefusal('MalformedPdf', message, { page: pageRef(page), ...details })
  }
  if (lettersOf(after) !== lettersOf(overlays)) refuse('Some text under the marks cannot be removed')
  const kinds = (['images', 'drawings'] as const).filter((kind) => after[kind] !== overlays[kind])
  if (kinds.length > 0) refuse('Some content under the marks cannot be removed', { kinds })
  const difference = differenceOf({ before, after: after.things, overlays: overlays.things, left })
  if (difference !== undefined) refuse('Some content beside the marks would change', { difference })
}

/** Proves that content has no other text alternatives than those that are known to stay. Throws `MalformedPdf`. */
export function proveDescriptions(change: Change, page: number, known: ReadonlySet<string>): void {
  for (const text of contentDescriptions(change.pdf, change.document.pageObject(page)))
    if (text !== undefined && !known.has(text))
      throw new JobRefusal('MalformedPdf', 'Some alternate text cannot be removed', { page: pageRef(page) })
}

const lettersOf = ({ text }: InspectionResult): string => text.replaceAll('\n', '')
