// Pages that share an array of annotations or an annotation: a change on one page would affect the others. Each page
// gets its own array and annotations before the document is read.
import type { PDFDocument, PDFObject } from 'mupdf'
import type { OpenDocument } from '../document/open-document.js'
import { isWidget } from '../fields/field-tree.js'
import { limits } from '../limits.js'
import { inlineCopy } from '../objects/inline-copy.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isArray, isDictionary, numbersOfElements, objectNumberOf } from '../objects/values.js'
import { SharedWidgets } from './shared-widgets.js'

export function sharesAnnotations({ pdf, pages }: OpenDocument): boolean {
  const [arrays, owners] = [new Set<number>(), new Map<number, number>()]
  for (const page of pages) {
    const annots = annotsOf(pdf.newIndirect(page))
    if (annots === undefined) continue
    const array = objectNumberOf(annots)
    if (array !== undefined && arrays.has(array)) return true
    if (array !== undefined) arrays.add(array)
    for (const number of numbersOfElements(annots, readingLimits.annotsLengthMax)) {
      if (number === 0) continue
      const owner = owners.get(number)
      if (owner === undefined) owners.set(number, page)
      else if (owner !== page && isDictionary(pdf.newIndirect(number))) return true
    }
  }
  return false
}

/** Leaves an annotation on the first page that lists it. Pages beyond the listing limits are not changed. */
export function separateAnnotations({ pdf, pages, catalog }: OpenDocument): void {
  const widgets = new SharedWidgets(catalog)
  const [arrays, owners] = [new Set<number>(), new Map<number, number>()]
  let remaining: number = limits.itemsMax
  for (const page of pages) {
    const object = pdf.newIndirect(page)
    const annots = annotsOf(object)
    if (annots === undefined) continue
    const array = objectNumberOf(annots)
    const isShared = array !== undefined && arrays.has(array)
    if (array !== undefined) arrays.add(array)
    const numbers = new Set(numbersOfElements(annots, readingLimits.annotsLengthMax))
    const taken = [...numbers].filter((number) => {
      const owner = number === 0 ? page : (owners.get(number) ?? page)
      owners.set(number, owner)
      return owner !== page && isDictionary(pdf.newIndirect(number))
    })
    remaining -= isShared ? annots.length : taken.length
    if (remaining < 0) break
    if (isShared || taken.length > 0) object.put('Annots', ownArray(object, annots, { taken: new Set(taken), widgets }))
  }
  widgets.finish(listsOf(pdf, pages))
}

interface PageSeparation {
  /** Object numbers of annotations that belong to another page. */
  readonly taken: ReadonlySet<number>
  readonly widgets: SharedWidgets
}

function ownArray(page: PDFObject, annots: PDFObject, { taken, widgets }: PageSeparation): PDFObject {
  const pdf = page._doc
  const [own, copies] = [pdf.newArray(), new Map<number, PDFObject>()]
  for (const annotation of elementsOf(annots, readingLimits.annotsLengthMax)) {
    const number = objectNumberOf(annotation) ?? 0
    const copy = taken.has(number) ? (copies.get(number) ?? copyOf(widgets, annotation, page)) : undefined
    if (copy !== undefined) copies.set(number, copy)
    own.push(copy ?? inlineCopy(annotation))
  }
  for (const copy of copies.values()) {
    // The parent of a widget is its field.
    if (isWidget(copy)) continue
    for (const key of ['IRT', 'Popup', 'Parent']) {
      const relative = copies.get(objectNumberOf(entry(copy, key)) ?? 0)
      if (relative !== undefined) copy.put(key, relative)
    }
  }
  return own
}

function copyOf(widgets: SharedWidgets, annotation: PDFObject, page: PDFObject): PDFObject {
  const original = widgets.widgetOf(annotation)
  const copy = original._doc.addObject(inlineCopy(original.resolve()))
  copy.put('P', page)
  copy.delete('StructParent')
  widgets.join(original, copy)
  return copy
}

function* listsOf(pdf: PDFDocument, pages: readonly number[]): Generator<PDFObject> {
  for (const page of pages) {
    const annots = annotsOf(pdf.newIndirect(page))
    if (annots !== undefined) yield annots
  }
}

function annotsOf(page: PDFObject): PDFObject | undefined {
  const annots = entry(page, 'Annots')
  return isArray(annots) ? annots : undefined
}
