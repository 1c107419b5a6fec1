// Opens a copy of a document for pictures and exports only, in which all annotations of a page look as a flatten would
// leave them. The engine draws some annotations by rules of its own (marks on unsigned fields, passwords in clear), so
// each annotation is replaced by a stand-in that consists of its appearance only.
import type { PDFObject } from 'mupdf'
import { AnnotatedPage } from '../annotations/annotated-page.js'
import { scratchChange } from '../change/scratch-change.js'
import { placement } from '../content/placement.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { OpenDocument } from '../document/open-document.js'
import { isEngineError } from '../engine/trap.js'
import { isWidget } from '../fields/field-tree.js'
import type { PdfSource } from '../messages/task.js'
import { emptyRect, rectangleOf } from '../objects/rectangles.js'
import { entry, isArray, isDictionary } from '../objects/values.js'
import { standInKeys } from '../pictures/stand-ins.js'
import { isUpright } from './drawing-placement.js'
import { Drawings, type Look } from './drawings.js'
import { isDrawn } from './visibility.js'

/** Maximum number of annotations without appearance that are drawn for a page picture; the engine draws the rest. */
const drawnMax = 2_000

/**
 * Returns the copy of a document prepared to show a page. A page without annotations uses the shared copy that all
 * other reads use. Throws `ShapingWanted`; the call can be repeated afterwards.
 */
export function openShown(open: (source: PdfSource) => OpenDocument, source: PdfSource, page: number): OpenDocument {
  const document = open(source)
  if (!hasAnnotations(document, page)) return document
  const copy = open({ ...source, key: `${source.key}#shown` })
  if (!isArray(entry(copy.pageObject(page), standInKeys.list))) putStandIns(copy, page)
  return copy
}

export function hasAnnotations(document: OpenDocument, page: number): boolean {
  const annots = entry(document.pageObject(page), 'Annots')
  return isArray(annots) && annots.length > 0
}

function putStandIns(document: OpenDocument, page: number): void {
  const change = scratchChange(document)
  const annotated = new AnnotatedPage(change, page)
  const drawings = new Drawings(change)
  const list = document.pdf.newArray()
  let left = drawnMax
  for (const found of annotated.siblings.entries) {
    if (!isDrawn(found.object, 'display')) continue
    const isBare = !isDictionary(entry(found.object, 'AP', 'N'))
    const look = isBare && left-- <= 0 ? unknown : lookOf(() => drawings.lookOf(annotated, found))
    if (!look.isKnown) list.push(found.object)
    else if (look.drawing !== undefined) putStandIn(list, found.object, look.drawing)
  }
  document.pageObject(page).put(standInKeys.list, list)
}

const unknown: Look = { isKnown: false }

/**
 * Returns the look of an annotation. One that is too damaged to be drawn is left to the engine, so that it cannot fail
 * the picture.
 */
function lookOf(look: () => Look): Look {
  try {
    return look()
  } catch (error) {
    if (error instanceof JobRefusal || isEngineError(error)) return unknown
    throw error
  }
}

function putStandIn(list: PDFObject, annotation: PDFObject, drawing: PDFObject): void {
  const pdf = annotation._doc
  const rect = rectangleOf(entry(annotation, 'Rect')) ?? emptyRect
  if (placement(drawing, rect) === undefined) return
  const standIn = pdf.newDictionary()
  standIn.put('Type', pdf.newName('Annot'))
  // The engine never regenerates the appearance of this subtype.
  standIn.put('Subtype', pdf.newName('Stamp'))
  standIn.put('Rect', [rect.left, rect.bottom, rect.right, rect.top])
  standIn.put('AP', { N: drawing })
  const layer = entry(annotation, 'OC')
  if (isDictionary(layer)) standIn.put('OC', layer)
  if (isWidget(annotation)) standIn.put(standInKeys.widget, true)
  if (isUpright(annotation)) standIn.put(standInKeys.upright, true)
  list.push(pdf.addObject(standIn))
}
