// A copy of a value that can stand in a second place. The engine keeps one and the same array in both otherwise, and an
// edit through one place would alter the other without anybody noticing.
import type { PDFObject } from 'mupdf'
import { limits } from '../limits.js'
import { isArray, isDictionary, objectNumberOf } from './values.js'

/** Objects with a number of their own stay what they are: only the reference is copied. */
export function inlineCopy(value: PDFObject, depth = 0): PDFObject {
  const isContainer = isDictionary(value) || isArray(value)
  if (!isContainer || objectNumberOf(value) !== undefined || depth > limits.depthMax) return value
  const pdf = value._doc
  const copy = isArray(value) ? pdf.newArray() : pdf.newDictionary()
  value.forEach((member, key) => {
    copy.put(key, inlineCopy(member, depth + 1))
  })
  return copy
}
