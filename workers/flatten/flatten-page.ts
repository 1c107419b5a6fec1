// Draws annotations of a page into its content, and removes them and what belongs to them.
import type { PDFObject } from 'mupdf'
import type { AnnotatedPage } from '../annotations/annotated-page.js'
import type { AnnotationEntry } from '../annotations/reading/page-annotations.js'
import { dropFields } from '../assembly/drop-fields.js'
import { type Drawing, drawOnPage } from '../content/page-content.js'
import type { FlattenUsage } from '../contract/flatten.js'
import { isWidget } from '../fields/field-tree.js'
import { dropXfa } from '../forms/writing/form-dictionary.js'
import { emptyRect, rectangleOf } from '../objects/rectangles.js'
import { entry, isDictionary, nameOf, objectNumberOf } from '../objects/values.js'
import { drawingPlacement } from './drawing-placement.js'
import type { Drawings } from './drawings.js'
import { isDrawn } from './visibility.js'

export interface FlattenRequest {
  readonly page: AnnotatedPage
  readonly usage: FlattenUsage
  readonly drawings: Drawings
}

/** Returns the annotations that were drawn; the others stay. */
export function flattenOnPage(
  { page, usage, drawings }: FlattenRequest,
  chosen: ReadonlySet<AnnotationEntry>,
): ReadonlySet<AnnotationEntry> {
  const applied = new Set<AnnotationEntry>()
  const drawn: Drawing[] = []
  // Annotations are drawn in stacking order, regardless of their order in the request.
  for (const found of page.siblings.entries) {
    if (!chosen.has(found) || !isDrawn(found.object, usage)) continue
    const look = drawings.lookOf(page, found)
    if (!look.isKnown) continue
    applied.add(found)
    drawn.push(...drawnOf(page, found.object, look.drawing))
  }
  if (applied.size === 0) return applied
  const { change, page: number } = page
  const object = change.touch(change.document.pageObject(number))
  if (drawn.length > 0) {
    drawOnPage(change.pdf, object, drawn)
    change.effects.page(number, 'content')
  }
  removeFlattened(page, applied)
  change.endUndo()
  return applied
}

function drawnOf(
  { change, page }: AnnotatedPage,
  annotation: PDFObject,
  form: PDFObject | undefined,
): readonly Drawing[] {
  const rect = rectangleOf(entry(annotation, 'Rect')) ?? emptyRect
  const matrix = form && drawingPlacement({ annotation, form, rect, page: change.document.pageObject(page) })
  if (form === undefined || matrix === undefined) return []
  // In page content a stream must declare that it is a form.
  if (nameOf(entry(form, 'Subtype')) !== 'Form') change.touch(form).put('Subtype', change.pdf.newName('Form'))
  const layer = entry(annotation, 'OC')
  return [{ form, matrix, layer: isDictionary(layer) ? layer : undefined }]
}

/** Removes the flattened annotations and their popups, and the reply references of annotations that answer them. */
function removeFlattened(page: AnnotatedPage, applied: ReadonlySet<AnnotationEntry>): void {
  const { change, siblings } = page
  const popups = [...applied].flatMap(({ ref }) => {
    const popup = siblings.popupOf(ref)
    return popup === null ? [] : [page.find(popup)]
  })
  const leaving = new Map([...applied, ...popups].map(({ object }) => [objectNumberOf(object) ?? 0, object]))
  for (const { object } of siblings.entries) {
    if (leaving.has(objectNumberOf(object) ?? 0) || !leaving.has(objectNumberOf(entry(object, 'IRT')) ?? 0)) continue
    change.touch(object)
    for (const key of ['IRT', 'RT']) object.delete(key)
  }
  const widgets = [...leaving.values()].filter(isWidget)
  page.remove(new Set(leaving.keys()))
  if (widgets.length > 0) {
    dropXfa(change)
    dropFields(change, widgets)
    change.effects.page(page.page, 'widgets')
  }
  change.hide(...leaving.values())
}
