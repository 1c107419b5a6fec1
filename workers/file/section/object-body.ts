// Bodies of the objects of an open copy, in the form of images: with the generations of the file, and with the digits of its
// numbers, which the engine rounds. A signature covers the digits.
import type { PDFDocument, PDFObject } from 'mupdf'
import { imageBody } from '../../objects/object-image.js'
import { WrittenNumbers, withGenerations, withWrittenDigits } from '../../objects/object-text.js'
import { entry, objectNumberOf } from '../../objects/values.js'
import { baseEntriesOf, type OpenCopy } from './base-entries.js'

/** `holders`: numbers of the objects that contained this one inline. */
export function bodyOf(copy: OpenCopy, object: PDFObject, holders: readonly number[] = []): Uint8Array {
  const { generations, numbersOf } = baseEntriesOf(copy)
  const own = new WrittenNumbers(numbersOf(objectNumberOf(object) ?? 0))
  let others: WrittenNumbers | undefined
  const ofHolders = (): WrittenNumbers => (others ??= new WrittenNumbers(holders.flatMap(numbersOf)))
  return imageBody(object, (text) => withGenerations(withWrittenDigits(text, own, ofHolders), generations))
}

/** Returns the numbers of the objects that contain the inline annotations of a page. */
export function holdersOn(pdf: PDFDocument, page: number): readonly number[] {
  const object = pdf.newIndirect(page)
  const list = objectNumberOf(entry(object, 'Annots'))
  return list === undefined ? [page] : [page, list]
}
