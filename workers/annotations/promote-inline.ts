// Turns annotations that are stored inline in a page's /Annots into indirect objects before anything of the page is
// written: an inline annotation has no object number, and the engine loses changes to it.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { readingLimits } from '../objects/reading-limits.js'
import { entry, isArray, isDictionary, numbersOfElements, objectNumberOf } from '../objects/values.js'

/** Promotes all inline annotations of the page, each under the number reserved at ingest if there is one. */
export function promoteInline(change: Change, page: number): void {
  const { withoutInline } = change.document
  if (withoutInline.has(page)) return
  withoutInline.add(page)
  const annots = entry(change.document.pageObject(page), 'Annots')
  const reserved = new Map(
    change.inline.flatMap((one) => (one.page === page ? [[one.baseIndex, one.objectNumber] as const] : [])),
  )
  for (const [baseIndex, known] of numbersOfElements(annots, readingLimits.annotsLengthMax).entries()) {
    if (known > 0) continue
    const annotation = entry(annots, baseIndex)
    if (!isDictionary(annotation)) continue
    touchAnnots(change, page)
    const number = reserved.get(baseIndex)
    const reference = number === undefined ? change.create(annotation) : change.createAt(number, annotation)
    annots.put(baseIndex, reference)
    change.promote({ page, baseIndex, objectNumber: reference.asIndirect() })
  }
}

/** Returns the array of a page's annotations, touched, for code that does not use its stack. */
export function touchAnnots(change: Change, page: number): PDFObject {
  change.cache.evict('annotations', page)
  change.cache.evict('form')
  return ensureAnnots(change, page)
}

/** Returns the array of a page's annotations; creates a missing one. */
export function ensureAnnots(change: Change, page: number): PDFObject {
  const object = change.document.pageObject(page)
  const annots = entry(object, 'Annots')
  if (isArray(annots) && objectNumberOf(annots) !== undefined) return change.touch(annots)
  change.touch(object)
  if (isArray(annots)) return annots
  const made = change.pdf.newArray()
  object.put('Annots', made)
  return made
}
