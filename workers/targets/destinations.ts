// Converts destinations (ISO 32000-2, 12.3.2) to the wire's, in the space of the page they lead to.
import type { PDFObject } from 'mupdf'
import type { Destination } from '../contract/destination.js'
import { pageRef } from '../contract/page-ref.js'
import type { Reading } from '../document/reading.js'
import { entry, integerOf, isArray, nameOf, numberOf, objectNumberOf, textOf } from '../objects/values.js'
import { destinationFrom, onPage, viewKindOf, viewNumbers } from './views.js'

/** Returns undefined if it leads to no page of this document. */
export function destinationOf(reading: Reading, value: PDFObject): Destination | undefined {
  const name = nameOf(value) ?? textOf(value)
  const array = name === undefined ? value : reading.namedDestinations.get(name)
  if (array === undefined || !isArray(array)) return undefined
  const page = pageOf(reading, entry(array, 0))
  if (page === undefined) return undefined
  const kind = viewKindOf(nameOf(entry(array, 1))) ?? 'fit'
  const space = reading.spaceOf(page)
  const numbers = viewNumbers[kind].map((name, index) => {
    const value = numberOf(entry(array, index + 2))
    // A zoom of 0 means the same as none.
    const isThere = value !== undefined && !(name === 'zoom' && value === 0)
    return [name, isThere ? onPage(space, name, value) : null] as const
  })
  return destinationFrom(kind, pageRef(page), Object.fromEntries(numbers))
}

/** Finds the page by reference as the standard requires, or by index as some writers do. */
function pageOf({ document }: Reading, value: PDFObject): number | undefined {
  const number = objectNumberOf(value)
  if (number !== undefined) return document.hasPage(number) ? number : undefined
  const place = integerOf(value)
  return place === undefined ? undefined : document.pages[place]
}
