// Typed values out of PDF objects, where anything may be missing, of another type or absurd. `undefined` = not such a
// value; the reader then takes its default.
import type { PDFObject } from 'mupdf'
import { mupdf, raw } from '../engine/library.js'
import { orElse } from '../engine/trap.js'

/** Follows keys and positions. What is not there, or cannot be read, is the null object. */
export function entry(object: PDFObject, ...path: readonly (string | number)[]): PDFObject {
  let found = object
  for (const key of path) {
    if (found.isNull()) return found
    const from = found
    found = orElse(mupdf.PDFObject.Null, () => from.get(key))
  }
  return found
}

/** ISO 32000-2, 7.3.9 and 7.3.10: null, and a reference to what is not there, are as good as no entry. */
export const isMissing = (object: PDFObject): boolean =>
  object.isNull() ||
  !(
    object.isDictionary() ||
    object.isArray() ||
    object.isName() ||
    object.isString() ||
    object.isNumber() ||
    object.isBoolean()
  )

export const isDictionary = (object: PDFObject): boolean => !object.isNull() && object.isDictionary()
export const isArray = (object: PDFObject): boolean => !object.isNull() && object.isArray()
export const isStream = (object: PDFObject): boolean => !object.isNull() && object.isStream()
export const isName = (object: PDFObject): boolean => !object.isNull() && object.isName()
export const isText = (object: PDFObject): boolean => !object.isNull() && object.isString()

/** The number the file knows the object by; undefined for what is stored inline. */
export function objectNumberOf(object: PDFObject): number | undefined {
  if (object.isNull() || !object.isIndirect()) return undefined
  const number = object.asIndirect()
  return number > 0 ? number : undefined
}

export function numberOf(object: PDFObject): number | undefined {
  if (object.isNull() || !object.isNumber()) return undefined
  const value = object.asNumber()
  if (!Number.isFinite(value)) return undefined
  if (!object.isInteger()) return shortest(value)
  // The engine hands every number through single precision; whole ones above 2^24 are read from their digits.
  return Math.abs(value) < 2 ** 24 ? value : wholeNumber(object)
}

export function integerOf(object: PDFObject): number | undefined {
  const value = numberOf(object)
  return value === undefined ? undefined : Math.trunc(value)
}

export const positiveOf = (object: PDFObject): number | undefined => {
  const value = numberOf(object)
  return value !== undefined && value > 0 ? value : undefined
}

export const notNegativeOf = (object: PDFObject): number | undefined => {
  const value = numberOf(object)
  return value !== undefined && value >= 0 ? value : undefined
}

export const booleanOf = (object: PDFObject): boolean | undefined =>
  !object.isNull() && object.isBoolean() ? object.asBoolean() : undefined

/**
 * Returns a name. Two names are equal exactly if they are in the file (`names.ts`); clients see some spelled
 * differently.
 */
export const nameOf = (object: PDFObject): string | undefined => (isName(object) ? object.asName() : undefined)

/** Text strings in any of their encodings; no bound of length, so callers take it through the budget of the answer. */
export const textOf = (object: PDFObject): string | undefined => (isText(object) ? object.asString() : undefined)

/** Returns a string as stored in the file, one character per byte. */
export const stringBytesOf = (object: PDFObject): string | undefined =>
  isText(object) ? Buffer.from(object.asByteString()).toString('latin1') : undefined

/** The numbers of an array. One element that is no number spoils it: nobody knows what the others then mean. */
export function numbersOf(array: PDFObject, lengthMax: number): readonly number[] | undefined {
  if (!isArray(array)) return undefined
  const numbers: number[] = []
  const length = Math.min(array.length, lengthMax)
  for (let position = 0; position < length; position++) {
    const value = numberOf(entry(array, position))
    if (value === undefined) return undefined
    numbers.push(value)
  }
  return numbers
}

/** Elements of an array, at most so many; none where it is no array. */
export function* elementsOf(array: PDFObject, lengthMax: number): Generator<PDFObject> {
  if (!isArray(array)) return
  const length = Math.min(array.length, lengthMax)
  for (let position = 0; position < length; position++) yield entry(array, position)
}

/** The number of each element, at most so many; 0 where it stands in the array itself. No object is made of any of them. */
export function numbersOfElements(array: PDFObject, lengthMax: number): readonly number[] {
  const length = isArray(array) ? Math.min(array.length, lengthMax) : 0
  return Array.from({ length }, (_, place) => {
    const element = orElse(0, () => raw._wasm_pdf_array_get(array.pointer, place))
    return element !== 0 && raw._wasm_pdf_is_indirect(element) ? Math.max(0, raw._wasm_pdf_to_num(element)) : 0
  })
}

/** Whether a dictionary has the key at all, without an object being made of what it leads to. */
export const hasKey = (dictionary: PDFObject, key: string): boolean =>
  !dictionary.isNull() && orElse(false, () => dictionary._get([key]) !== 0)

/** Keys and values of a dictionary, at most so many. */
export function entriesOf(dictionary: PDFObject, countMax: number): readonly (readonly [string, PDFObject])[] {
  const entries: [string, PDFObject][] = []
  if (!isDictionary(dictionary)) return entries
  dictionary.forEach((value, key) => {
    if (entries.length < countMax) entries.push([String(key), value])
  })
  return entries
}

/** 72.1 in a file is 72.0999984741211 in single precision: the shortest digits that mean the same are what was written. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}

function wholeNumber(object: PDFObject): number | undefined {
  const value = Number(object.resolve().toString())
  return Number.isSafeInteger(value) ? value : undefined
}
