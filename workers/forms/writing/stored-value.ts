// Values as stored in a file, as plain JSON, for an exact undo.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import type { Reading } from '../../document/reading.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { elementsOf, entry, integerOf, isArray, isMissing, nameOf } from '../../objects/values.js'
import { scalarOf } from '../reading/field-values.js'

/** Null = no entry. */
export type StoredValue =
  | null
  | { readonly name: string }
  | { readonly text: string }
  | { readonly texts: readonly string[] }
  | { readonly numbers: readonly number[] }

export function storedValue(reading: Reading, object: PDFObject, key: string): StoredValue {
  const value = entry(object, key)
  if (isMissing(value)) return null
  if (isArray(value)) {
    const elements = [...elementsOf(value, readingLimits.optionsMax)]
    if (elements.length > 0 && elements.every((element) => element.isNumber())) {
      return { numbers: elements.map((element) => integerOf(element) ?? 0) }
    }
    return { texts: elements.map((element) => scalarOf(reading, element) ?? '') }
  }
  const name = nameOf(value)
  return name === undefined ? { text: scalarOf(reading, value) ?? '' } : { name: reading.budget.takeText(name) }
}

export function putStored({ pdf }: Change, object: PDFObject, key: string, value: StoredValue): void {
  if (value === null) object.delete(key)
  else if ('name' in value) object.put(key, pdf.newName(value.name))
  else if ('text' in value) object.put(key, pdf.newString(value.text))
  else if ('numbers' in value) object.put(key, [...value.numbers])
  else {
    const array = pdf.newArray()
    for (const text of value.texts) array.push(pdf.newString(text))
    object.put(key, array)
  }
}
