// Adds widgets to their pages, removes and restores them.

import type { PDFObject } from 'mupdf'
import { promoteInline, touchAnnots } from '../../annotations/promote-inline.js'
import type { Change } from '../../change/change.js'
import { placesOn } from '../../change/list-places.js'
import { insertAt } from '../../objects/array-edits.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { entry, numbersOfElements, objectNumberOf } from '../../objects/values.js'

export function putOnPage(change: Change, widget: PDFObject, page: number): void {
  insertAt(touchAnnots(change, page), widget)
  change.effects.page(page, 'widgets')
}

export function isOnPage(change: Change, number: number, page: number): boolean {
  return numbersOn(change, page).includes(number)
}

/** Returns false if the page does not list the widget. */
export function takeOffPage(change: Change, widget: PDFObject, page: number): boolean {
  const number = objectNumberOf(widget)
  if (number === undefined || !isOnPage(change, number, page)) return false
  // Only neighbours with an object number can be found again later.
  promoteInline(change, page)
  const numbers = numbersOn(change, page)
  const places = placesOn(change, page)
  places.follow(numbers)
  places.save()
  touchAnnots(change, page).delete(numbers.indexOf(number))
  change.effects.page(page, 'widgets')
  return true
}

/** Restores the widget to its own position, whatever was added or removed since. */
export function putBackOnPage(change: Change, number: number, page: number): void {
  promoteInline(change, page)
  const numbers = numbersOn(change, page)
  const places = placesOn(change, page)
  places.follow(numbers)
  insertAt(touchAnnots(change, page), change.pdf.newIndirect(number), places.placeIn(numbers, number))
  change.effects.page(page, 'widgets')
}

const numbersOn = ({ document }: Change, page: number): readonly number[] =>
  numbersOfElements(entry(document.pageObject(page), 'Annots'), readingLimits.annotsLengthMax)
