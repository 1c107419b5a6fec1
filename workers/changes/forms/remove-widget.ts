// Takes one widget away from its field and its page, and puts it back.
import type { PDFObject } from 'mupdf'
import { readingLimits } from '../../pdf/reading-limits.js'
import { elementsOf, entry, isDictionary, objectNumberOf } from '../../pdf/values.js'
import { insertAt } from '../array-edits.js'
import type { Change } from '../change.js'
import { touchArray } from './form-dictionary.js'
import { type PageHold, putBack, takeOffPage } from './page-widgets.js'
import { withDrawings } from './remove-field.js'

export interface RemovedWidget {
  readonly number: number
  /** The field it hung under; null = it hung under none. */
  readonly field: number | null
  readonly place: number
  readonly page: PageHold | null
  readonly hidden: readonly number[]
}

/** A field that is its own widget is split before. */
export function removeWidget(change: Change, widget: PDFObject, page: number | undefined): RemovedWidget {
  const number = objectNumberOf(widget) ?? 0
  const parent = entry(widget, 'Parent')
  const field = isDictionary(parent) ? (objectNumberOf(parent) ?? null) : null
  const kids = [...elementsOf(entry(parent, 'Kids'), readingLimits.fieldNodesMax)]
  const place = kids.findIndex((kid) => objectNumberOf(kid) === number)
  if (field !== null && place >= 0) touchArray(change, change.touch(parent), 'Kids').delete(place)
  const hold = page === undefined ? undefined : takeOffPage(change, widget, page)
  const hidden = withDrawings(widget).flatMap((object) => objectNumberOf(object) ?? [])
  change.hide(...hidden.map((one) => change.pdf.newIndirect(one)))
  change.effects.document('forms')
  return { number, field, place, page: hold ?? null, hidden }
}

/** False = its field or its page is gone. */
export function restoreWidget(change: Change, { number, field, place, page, hidden }: RemovedWidget): boolean {
  if (page !== null && !change.document.hasPage(page.page)) return false
  const owner = field === null ? undefined : change.pdf.newIndirect(field)
  if (owner !== undefined && !isDictionary(owner)) return false
  change.show(...hidden.map((one) => change.pdf.newIndirect(one)))
  if (owner !== undefined && place >= 0) {
    insertAt(touchArray(change, change.touch(owner), 'Kids'), change.pdf.newIndirect(number), place)
  }
  if (page !== null) putBack(change, [page])
  change.effects.document('forms')
  return true
}
