// Makes the engine find out now what is wrong with a file, and repair it: it looks at an object only when it is needed.
import type { PDFDocument } from 'mupdf'
import { limits } from '../../limits.js'
import { orElse } from '../trap.js'

/** Loads one object after the other until the file was repaired, or there is none left. Answers whether it was. */
export function forceRepair(pdf: PDFDocument): boolean {
  const end = Math.min(pdf.countObjects(), limits.repairedObjectsMax)
  for (let number = 1; number < end && !pdf.wasRepaired(); number++) loadObject(pdf, number)
  return pdf.wasRepaired()
}

/** An object that cannot be read is as good as null once the file was repaired. */
export function loadObject(pdf: PDFDocument, number: number): void {
  orElse(undefined, () => void pdf.newIndirect(number).resolve())
}
