// Highest object number that a file uses.
import type { PDFDocument, PDFObject } from 'mupdf'

/**
 * Returns the highest number among the objects of the file and the references of its trailer. LibreOffice writes
 * references to objects that do not exist: a new object under such a number would become what they refer to, and
 * signatures of the file would no longer permit it. References far beyond do not count: numbers are limited.
 */
export function highestObject(pdf: PDFDocument): number {
  const highest = pdf.countObjects() - 1
  const near = referencesIn(pdf.getTrailer(), 0).filter((number) => number <= highest + reachMax)
  return Math.max(highest, ...near)
}

const reachMax = 1024

/** Values deeper than this are not in a trailer. */
const depthMax = 4

function referencesIn(value: PDFObject, depth: number): readonly number[] {
  const found: number[] = []
  if (depth > depthMax) return found
  if (!value.isDictionary() && !value.isArray()) return found
  value.forEach((member) => {
    if (member.isIndirect()) found.push(member.asIndirect())
    else found.push(...referencesIn(member, depth + 1))
  })
  return found
}
