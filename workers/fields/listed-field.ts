// Finds out whether the form lists a field: the signatures of a document permit filling the fields of its form alone.
import type { PDFDocument, PDFObject } from 'mupdf'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isDictionary, objectNumberOf } from '../objects/values.js'

/** True for fields and widgets below `/Fields`; an inline object is listed where its container is. */
export function isListed(pdf: PDFDocument, object: PDFObject): boolean {
  let member = object
  for (let depth = 0; depth < readingLimits.ancestorsMax; depth++) {
    const parent = entry(member, 'Parent')
    if (!isDictionary(parent)) return isIn(entry(pdf.getTrailer(), 'Root', 'AcroForm', 'Fields'), member)
    if (!isIn(entry(parent, 'Kids'), member)) return false
    member = parent
  }
  return false
}

function isIn(list: PDFObject, member: PDFObject): boolean {
  const number = objectNumberOf(member)
  if (number === undefined) return true
  for (const item of elementsOf(list, readingLimits.fieldNodesMax)) if (objectNumberOf(item) === number) return true
  return false
}
