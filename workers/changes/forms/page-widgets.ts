// Widgets on their pages: putting them there, taking them off, and back.
import type { PDFObject } from 'mupdf'
import { readingLimits } from '../../pdf/reading-limits.js'
import { elementsOf, entry, objectNumberOf } from '../../pdf/values.js'
import { touchAnnots } from '../annotations/promote-inline.js'
import { insertAt } from '../array-edits.js'
import type { Change } from '../change.js'

/** Where a widget stood. */
export interface PageHold {
  readonly number: number
  readonly page: number
  readonly place: number
}

export function putOnPage(change: Change, widget: PDFObject, page: number, place?: number): void {
  insertAt(touchAnnots(change, page), widget, place)
  change.effects.page(page, 'widgets')
}

/** Undefined = no page lists it. */
export function takeOffPage(change: Change, widget: PDFObject, page: number): PageHold | undefined {
  const number = objectNumberOf(widget)
  const annots = entry(change.document.pageObject(page), 'Annots')
  const place = [...elementsOf(annots, readingLimits.annotsLengthMax)].findIndex(
    (annotation) => number !== undefined && objectNumberOf(annotation) === number,
  )
  if (number === undefined || place < 0) return undefined
  touchAnnots(change, page).delete(place)
  change.effects.page(page, 'widgets')
  return { number, page, place }
}

/** On pages that are still there; the last that was taken off comes first, because places were counted then. */
export function putBack(change: Change, holds: readonly PageHold[]): void {
  for (const { number, page, place } of holds.toReversed()) {
    if (!change.document.hasPage(page)) continue
    const widget = change.pdf.newIndirect(number)
    change.show(widget)
    putOnPage(change, widget, page, place)
  }
}
