// Reads typed values from PDF objects, in which anything may be missing, of another type or absurd. Functions return
// `undefined` for other values; the caller then uses its default.
import type { PDFObject } from 'mupdf'
import { mupdf, raw } from '../engine/library.js'
import { orElse } from '../engine/trap.js'

/** Returns the object at a path of keys and indexes; the null object if it is missing or unreadable. */
export function entry(object: PDFObject, ...path: readonly (string | number)[]): PDFObject {
  let found = object
  for (const key of path) {
    if (found.isNull()) return found
    const from = found
    found = orElse(mupdf.PDFObject.Null, () => from.get(key))
  }
  return found
}

/** True for null and references to missing objects, which count as missing entries (ISO 32000-2, 7.3.9 and 7.3.10). */
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

/** Returns the object number; undefined for an inline object. */
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
  // The engine converts all numbers to single precision; whole numbers above 2^24 are parsed from their digits.
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
 * Returns a name. Two names are equal exactly if they are in the file (`names.ts`); clients see some of them spelled
 * differently.
 */
export const nameOf = (object: PDFObject): string | undefined => (isName(object) ? object.asName() : undefined)

/**
 * Returns a text string in any encoding. Its length is not limited here; callers charge it to the budget of the answer.
 */
export const textOf = (object: PDFObject): string | undefined => (isText(object) ? object.asString() : undefined)

/** Returns a string as stored in the file, one character per byte. */
export const stringBytesOf = (object: PDFObject): string | undefined =>
  isText(object) ? Buffer.from(object.asByteString()).toString('latin1') : undefined

/**
 * Returns the numbers of an array; undefined if any element is not a number, because the meaning of the others is then
 * unknown.
 */
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

/** Yields at most `lengthMax` elements of an array; none if it is not an array. */
export function* elementsOf(array: PDFObject, lengthMax: number): Generator<PDFObject> {
  if (!isArray(array)) return
  const length = Math.min(array.length, lengthMax)
  for (let position = 0; position < length; position++) yield entry(array, position)
}

/**
 * Returns the object number of each element, at most `lengthMax` elements; 0 for an inline element. Creates no
 * wrappers.
 */
export function numbersOfElements(array: PDFObject, lengthMax: number): readonly number[] {
  const length = isArray(array) ? Math.min(array.length, lengthMax) : 0
  return Array.from({ length }, (_, place) => {
    const element = orElse(0, () => raw._wasm_pdf_array_get(array.pointer, place))
    return element !== 0 && raw._wasm_pdf_is_indirect(element) ? Math.max(0, raw._wasm_pdf_to_num(element)) : 0
  })
}

/** True if a dictionary has the key; creates no wrapper for its value. */
export const hasKey = (dictionary: PDFObject, key: string): boolean =>
  !dictionary.isNull() && orElse(false, () => dictionary._get([key]) !== 0)

/** Returns at most `countMax` entries of a dictionary. */
export function entriesOf(dictionary: PDFObject, countMax: number): readonly (readonly [string, PDFObject])[] {
  const entries: [string, PDFObject][] = []
  if (!isDictionary(dictionary)) return entries
  dictionary.forEach((value, key) => {
    if (entries.length < countMax) entries.push([String(key), value])
  })
  return entries
}

/** Returns the shortest decimal of equal single precision: 72.1 in a file is read as 72.0999984741211. */
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
