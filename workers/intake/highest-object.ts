// Highest object number that a file uses.
import type { PDFDocument, PDFObject } from 'mupdf'

/**
 * Returns the highest number among the objects of the file and the references of its trailer. LibreOffice writes
 * references to objects that do not exist; a new object with such a number would become their target, and signatures of
 * the file would no longer permit it. References far above the objects do not count, because numbers are limited.
 */
export function highestObject(pdf: PDFDocument): number {
  const highest = pdf.countObjects() - 1
  const near = referencesIn(pdf.getTrailer(), 0).filter((number) => number <= highest + reachMax)
  return Math.max(highest, ...near)
}

const reachMax = 1024

/** Maximum depth of values in a trailer. */
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
