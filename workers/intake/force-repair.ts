// Makes the engine detect damage of a file and repair it now: normally it reads an object only when it needs it.
import type { PDFDocument } from 'mupdf'
import { orElse } from '../engine/trap.js'
import { limits } from '../limits.js'

/** Loads objects one by one until the file was repaired or all are loaded. Returns whether it was repaired. */
export function forceRepair(pdf: PDFDocument): boolean {
  const end = Math.min(pdf.countObjects(), limits.repairedObjectsMax)
  for (let number = 1; number < end && !pdf.wasRepaired(); number++) loadObject(pdf, number)
  return pdf.wasRepaired()
}

/** Loads an object; an unreadable one counts as null once the file was repaired. */
export function loadObject(pdf: PDFDocument, number: number): void {
  orElse(undefined, () => void pdf.newIndirect(number).resolve())
}

/** Frees the objects that cannot be read, which the engine would refuse to write: readers take them for null. */
export function dropUnreadable(pdf: PDFDocument): void {
  const end = Math.min(pdf.countObjects(), limits.repairedObjectsMax)
  for (let number = 1; number < end; number++) {
    if (orElse(true, () => pdf.newIndirect(number).resolve().isNull())) pdf.deleteObject(number)
  }
}
