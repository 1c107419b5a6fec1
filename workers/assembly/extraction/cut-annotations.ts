// Removes references from a page's annotations to what is not extracted: replies and popups on other pages, links to
// other pages.
import type { PDFObject } from 'mupdf'
import { NamedDestinations } from '../../document/named-destinations.js'
import type { OpenDocument } from '../../document/open-document.js'
import { limits } from '../../limits.js'
import { readingLimits } from '../../objects/reading-limits.js'
import {
  elementsOf,
  entriesOf,
  entry,
  integerOf,
  isArray,
  isDictionary,
  isMissing,
  nameOf,
  objectNumberOf,
  textOf,
} from '../../objects/values.js'
import { fieldEvents } from '../../targets/actions.js'

export interface PageCut {
  readonly source: OpenDocument
  readonly page: PDFObject
  /** Object numbers of the extracted pages. */
  readonly extractedPages: ReadonlySet<number>
}

/** Returns the annotations that stay on the page. */
export function cutAnnotations(cut: PageCut): readonly PDFObject[] {
  const annotations = [...elementsOf(entry(cut.page, 'Annots'), limits.itemsMax)].filter(isDictionary)
  const numbers = new Set(annotations.map(objectNumberOf))
  const names = new NamedDestinations(cut.source.catalog)
  for (const annotation of annotations) {
    annotation.put('P', cut.page)
    annotation.delete('StructParent')
    cutRelatives(annotation, numbers)
    cutTargets(annotation, cut, names)
  }
  return annotations
}

function cutRelatives(annotation: PDFObject, numbers: ReadonlySet<number | undefined>): void {
  const keys = nameOf(entry(annotation, 'Subtype')) === 'Popup' ? ['Parent'] : ['IRT', 'Popup']
  for (const key of keys) {
    const relative = objectNumberOf(entry(annotation, key))
    if (relative === undefined || !numbers.has(relative)) annotation.delete(key)
  }
}

/** Removes the annotation's events, whose actions may lead anywhere; events of a field merged with it are retained. */
export function cutEvents(holder: PDFObject): void {
  const events = entry(holder, 'AA')
  const own = holder._doc.newDictionary()
  for (const key of Object.keys(fieldEvents)) {
    const action = entry(events, key)
    if (isScript(action)) own.put(key, action)
  }
  if (entriesOf(own, 1).length === 0) holder.delete('AA')
  else holder.put('AA', own)
}

/** True if the action and all its successors are scripts; any other chain is removed. */
function isScript(first: PDFObject): boolean {
  const waiting = [first]
  for (let count = 0; count < readingLimits.actionsMax; count++) {
    const action = waiting.pop()
    if (action === undefined) return count > 0
    if (nameOf(entry(action, 'S')) !== 'JavaScript') return false
    const next = entry(action, 'Next')
    if (!isMissing(next)) waiting.push(...(isArray(next) ? elementsOf(next, readingLimits.actionsMax) : [next]))
  }
  return false
}

/** Removes a link's destination unless it is an extracted page or outside of the document. */
function cutTargets(annotation: PDFObject, cut: PageCut, names: NamedDestinations): void {
  cutEvents(annotation)
  const destination = entry(annotation, 'Dest')
  if (!isMissing(destination)) putDestination(annotation, 'Dest', explicit(destination, cut, names))
  const action = entry(annotation, 'A')
  if (!isDictionary(action)) return
  action.delete('Next')
  if (nameOf(entry(action, 'S')) !== 'GoTo') return
  const target = explicit(entry(action, 'D'), cut, names)
  if (target === undefined) annotation.delete('A')
  else putDestination(action, 'D', target)
}

function putDestination(holder: PDFObject, key: string, destination: PDFObject | undefined): void {
  if (destination === undefined) holder.delete(key)
  else holder.put(key, destination)
}

/**
 * Converts a destination to an explicit one with a page reference, because names and page numbers have no meaning in
 * the new document.
 */
function explicit(
  destination: PDFObject,
  { source, extractedPages }: PageCut,
  names: NamedDestinations,
): PDFObject | undefined {
  const name = nameOf(destination) ?? textOf(destination)
  const array = name === undefined ? destination : names.get(name)
  if (array === undefined || !isArray(array)) return undefined
  const first = entry(array, 0)
  const place = integerOf(first)
  const number = objectNumberOf(first) ?? (place === undefined ? undefined : source.pages[place])
  if (number === undefined || !extractedPages.has(number)) return undefined
  const copy = source.pdf.newArray()
  copy.push(source.pdf.newIndirect(number))
  for (const element of [...elementsOf(array, 6)].slice(1)) copy.push(element)
  return copy
}
