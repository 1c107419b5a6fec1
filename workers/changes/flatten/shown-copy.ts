// An open copy of a document for pictures and exports alone, in which everything that lies on a page looks as a flatten
// would leave it. The engine draws some annotations by rules of its own (marks on unsigned fields, passwords in clear),
// so what it is given to draw is a stand-in for each that is nothing but its drawing.
import type { PDFObject } from 'mupdf'
import { placement } from '../../pdf/appearances/placement.js'
import { isWidget } from '../../pdf/forms/field-tree.js'
import type { OpenDocument } from '../../pdf/open-document.js'
import { emptyRect, rectangleOf } from '../../pdf/rectangles.js'
import { standInKeys } from '../../pdf/stand-ins.js'
import { isEngineError } from '../../pdf/trap.js'
import { entry, isArray, isDictionary } from '../../pdf/values.js'
import { JobRefusal, type PdfSource } from '../../task.js'
import { AnnotatedPage } from '../annotations/annotated-page.js'
import { scratchChange } from '../scratch-change.js'
import { Drawings, type Look } from './drawings.js'
import { isUpright } from './settled.js'
import { isDrawn } from './usage.js'

/** Annotations without a drawing that are given one for a picture of a page; the engine draws those above. */
const drawnMax = 2_000

/**
 * The copy of a document that shows a page, ready for it. A page on which nothing lies needs no other copy than the one
 * that everything is read from. Throws `ShapingWanted`; it can be called again then.
 */
export function openShown(open: (source: PdfSource) => OpenDocument, source: PdfSource, page: number): OpenDocument {
  const document = open(source)
  const annots = entry(document.pageObject(page), 'Annots')
  if (!isArray(annots) || annots.length === 0) return document
  const copy = open({ ...source, key: `${source.key}#shown` })
  if (!isArray(entry(copy.pageObject(page), standInKeys.list))) putStandIns(copy, page)
  return copy
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

/** What is too broken to be drawn is left to the engine; one annotation must not cost the picture. */
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
  // Of all kinds the one whose drawing the engine never thinks about.
  standIn.put('Subtype', pdf.newName('Stamp'))
  standIn.put('Rect', [rect.left, rect.bottom, rect.right, rect.top])
  standIn.put('AP', { N: drawing })
  const layer = entry(annotation, 'OC')
  if (isDictionary(layer)) standIn.put('OC', layer)
  if (isWidget(annotation)) standIn.put(standInKeys.widget, true)
  if (isUpright(annotation)) standIn.put(standInKeys.upright, true)
  list.push(pdf.addObject(standIn))
}
