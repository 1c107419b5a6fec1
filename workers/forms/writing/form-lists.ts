// Lists of a form whose members are removed and restored: kids of a field, root fields of the form, its calculation
// order. Each member returns to its own position, in whatever order changes are undone.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { type Places, placesIn } from '../../change/list-places.js'
import { insertAt } from '../../objects/array-edits.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { entry, numbersOfElements, objectNumberOf } from '../../objects/values.js'
import { touchArray, touchForm } from './form-dictionary.js'

export interface FormList {
  readonly owner: PDFObject
  readonly key: 'Kids' | 'Fields' | 'CO'
  /** Key under which positions in the list are stored. */
  readonly about: string
}

export const kidsOf = (field: PDFObject): FormList => ({
  owner: field,
  key: 'Kids',
  about: `kids ${objectNumberOf(field) ?? 0}`,
})

/** Returns the list that contains a field; undefined parent = the form's root fields. */
export const listUnder = (change: Change, parent: PDFObject | undefined): FormList =>
  parent === undefined ? { owner: formOf(change), key: 'Fields', about: 'fields' } : kidsOf(parent)

export const calculationsOf = (change: Change): FormList => ({
  owner: formOf(change),
  key: 'CO',
  about: 'calculations',
})

const formOf = ({ document }: Change): PDFObject => entry(document.catalog, 'AcroForm')

export const numbersIn = ({ owner, key }: Pick<FormList, 'owner' | 'key'>): readonly number[] =>
  numbersOfElements(entry(owner, key), readingLimits.fieldNodesMax)

/** Returns false if the object is not in the list. */
export function removeContent(change: Change, list: FormList, number: number): boolean {
  const numbers = numbersIn(list)
  if (!numbers.includes(number)) return false
  const places = placesOf(change, list, numbers)
  places.save()
  const array = touchList(change, list)
  for (let place = numbers.length - 1; place >= 0; place--) if (numbers[place] === number) array.delete(place)
  return true
}

/** Returns false if the object is in the list already. */
export function putBackIn(change: Change, list: FormList, number: number): boolean {
  const numbers = numbersIn(list)
  if (numbers.includes(number)) return false
  const places = placesOf(change, list, numbers)
  insertAt(touchList(change, list), change.pdf.newIndirect(number), places.placeIn(numbers, number))
  return true
}

/** Replaces an object in the list by another one. */
export function replaceIn(change: Change, list: FormList, from: number, to: number): void {
  const numbers = numbersIn(list)
  if (!numbers.includes(from)) return
  placesIn(change, list.about).replace(from, to)
  const array = touchList(change, list)
  for (const [place, number] of numbers.entries()) if (number === from) array.put(place, change.pdf.newIndirect(to))
}

/** True if the object is or was in the list. */
export const wasIn = (change: Change, { about }: Pick<FormList, 'about'>, number: number): boolean =>
  placesIn(change, about).has(number)

/** Object numbers of former members of the list, which were left out of the file since. */
export const formerlyIn = (change: Change, { about }: Pick<FormList, 'about'>): readonly number[] =>
  placesIn(change, about).members.filter((number) => change.document.hidden.has(number))

function placesOf(change: Change, { about }: FormList, numbers: readonly number[]): Places {
  const places = placesIn(change, about)
  places.follow(numbers)
  return places
}

const touchList = (change: Change, { owner, key }: FormList): PDFObject =>
  touchArray(change, key === 'Kids' ? change.touch(owner) : touchForm(change), key)
