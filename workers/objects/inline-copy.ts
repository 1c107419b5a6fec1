// Copies a value for use in a second place. Otherwise the engine shares the same array between both, and an edit of one
// would silently alter the other.
import type { PDFObject } from 'mupdf'
import { limits } from '../limits.js'
import { isArray, isDictionary, objectNumberOf } from './values.js'

/** Returns a copy; indirect objects are not copied, only the reference to them. */
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
