// Converts destinations (ISO 32000-2, 12.3.2) to the wire's, in the space of the page they lead to.
import type { PDFObject } from 'mupdf'
import type { Destination } from '../contract/destination.js'
import { type PageRef, pageRef } from '../contract/page-ref.js'
import type { PageSpace } from '../document/page-space.js'
import type { Reading } from '../document/reading.js'
import { lookUp } from '../objects/look-up.js'
import { entry, integerOf, isArray, nameOf, numberOf, objectNumberOf, textOf } from '../objects/values.js'

interface View {
  readonly page: PageRef
  readonly space: PageSpace
  /** Returns the number at an index of the array; null if the viewer keeps its current value. */
  readonly number: (position: number) => number | null
}

const pageX = ({ space, number }: View, position: number): number | null => {
  const x = number(position)
  return x === null ? null : space.toPagePoint(x, 0).x
}
const pageY = ({ space, number }: View, position: number): number | null => {
  const y = number(position)
  return y === null ? null : space.toPagePoint(0, y).y
}

const views: Readonly<Record<string, (view: View) => Destination>> = {
  XYZ: (view) => ({
    kind: 'xyz',
    page: view.page,
    left: pageX(view, 2),
    top: pageY(view, 3),
    zoom: view.number(4) || null, // 0 means the same as null
  }),
  Fit: ({ page }) => ({ kind: 'fit', page }),
  FitB: ({ page }) => ({ kind: 'fitB', page }),
  FitH: (view) => ({ kind: 'fitH', page: view.page, top: pageY(view, 2) }),
  FitBH: (view) => ({ kind: 'fitBH', page: view.page, top: pageY(view, 2) }),
  FitV: (view) => ({ kind: 'fitV', page: view.page, left: pageX(view, 2) }),
  FitBV: (view) => ({ kind: 'fitBV', page: view.page, left: pageX(view, 2) }),
  FitR: (view) => ({
    kind: 'fitR',
    page: view.page,
    left: pageX(view, 2) ?? 0,
    bottom: pageY(view, 3) ?? 0,
    right: pageX(view, 4) ?? 0,
    top: pageY(view, 5) ?? 0,
  }),
}

/** Returns undefined if it leads to no page of this document. */
export function destinationOf(reading: Reading, value: PDFObject): Destination | undefined {
  const name = nameOf(value) ?? textOf(value)
  const array = name === undefined ? value : reading.namedDestinations.get(name)
  if (array === undefined || !isArray(array)) return undefined
  const page = pageOf(reading, entry(array, 0))
  if (page === undefined) return undefined
  const kind = nameOf(entry(array, 1)) ?? 'Fit'
  const read = lookUp(views, kind)
  return (read ?? wholePage)({
    page: pageRef(page),
    space: reading.spaceOf(page),
    number: (position) => numberOf(entry(array, position)) ?? null,
  })
}

const wholePage = ({ page }: View): Destination => ({ kind: 'fit', page })

/** Finds the page by reference as the standard requires, or by index as some writers do. */
function pageOf({ document }: Reading, value: PDFObject): number | undefined {
  const number = objectNumberOf(value)
  if (number !== undefined) return document.hasPage(number) ? number : undefined
  const place = integerOf(value)
  return place === undefined ? undefined : document.pages[place]
}
