// Removes annotations under marks with everything that belongs to them, and the marks themselves.
import type { PDFObject } from 'mupdf'
import type { AnnotatedPage } from '../annotations/annotated-page.js'
import type { AnnotationEntry } from '../annotations/reading/page-annotations.js'
import { dropFields } from '../assembly/drop-fields.js'
import { rectangleOf } from '../objects/rectangles.js'
import { entry, nameOf, objectNumberOf } from '../objects/values.js'
import { clearFields, widgetsAmong } from './clear-fields.js'
import { drawnPlaces } from './drawn-places.js'
import { isMark, type Mark } from './marks.js'
import type { Region } from './region.js'

/** Returns the number of removed annotations. */
export function removeMarkedAnnotations(page: AnnotatedPage, marks: readonly Mark[], region: Region): number {
  const { change } = page
  const leaving = leavingOf(page, marks, region)
  const widgets = widgetsAmong([...leaving.values()])
  clearFields(change, page.page, widgets)
  page.remove(new Set(leaving.keys()))
  if (widgets.length > 0) {
    dropFields(change, widgets)
    change.effects.page(page.page, 'widgets')
  }
  // References to them, above all from the structure tree, must not keep them in the file.
  change.hide(...leaving.values())
  return leaving.size
}

function leavingOf(page: AnnotatedPage, marks: readonly Mark[], region: Region): ReadonlyMap<number, PDFObject> {
  const marked = new Set(marks.map(({ found }) => objectNumberOf(found.object)))
  const leaving = new Map<number, PDFObject>()
  const add = ({ object }: AnnotationEntry): void => {
    const number = objectNumberOf(object)
    if (number !== undefined) leaving.set(number, object)
  }
  for (const found of page.siblings.entries) {
    if (marked.has(objectNumberOf(found.object)) || isUnder(page, found, region)) add(found)
  }
  for (let known = -1; known < leaving.size; ) {
    known = leaving.size
    for (const found of page.siblings.entries) if (belongs(found.object, leaving)) add(found)
  }
  return leaving
}

/**
 * True if the annotation, or what readers draw for it, is under a mark. Other marks are no content, and popups are
 * removed with their parents. An annotation without a rectangle counts as under it, because its place is unknown.
 */
function isUnder(page: AnnotatedPage, found: AnnotationEntry, region: Region): boolean {
  if (isMark(found) || nameOf(entry(found.object, 'Subtype')) === 'Popup') return false
  if (rectangleOf(entry(found.object, 'Rect')) === undefined) return true
  for (const place of drawnPlaces(page, found)) if (region.meets(place)) return true
  return false
}

/** True for replies, group members and popups of removed annotations. */
const belongs = (object: PDFObject, leaving: ReadonlyMap<number, PDFObject>): boolean =>
  ['IRT', 'Parent'].some((key) => isPopupOrReply(object, key) && leaving.has(objectNumberOf(entry(object, key)) ?? 0))

const isPopupOrReply = (object: PDFObject, key: string): boolean =>
  key === 'IRT' || nameOf(entry(object, 'Subtype')) === 'Popup'
