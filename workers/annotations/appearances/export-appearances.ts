// Drawings of annotations as a PDF of one page, sized to the rectangle around them all.

import type { PDFDocument, PDFGraftMap, PDFObject } from 'mupdf'
import { type Matrix, operands, placement, translated } from '../../content/placement.js'
import { type AnnotationRef, annotationKey } from '../../contract/annotation-ref.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import type { Reading } from '../../document/reading.js'
import { savedBytes } from '../../engine/engine-memory.js'
import { mupdf } from '../../engine/library.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { emptyRect, rectangleOf, union } from '../../objects/rectangles.js'
import { entry, isMissing } from '../../objects/values.js'
import { PageAnnotations } from '../reading/page-annotations.js'
import { CopyLimits } from './copy-limits.js'
import { normalAppearance } from './normal-appearance.js'

interface Drawing {
  readonly object: PDFObject
  readonly rect: PdfRect
  readonly matrix: Matrix
}

/** Keys of a form XObject that belong to its drawing; others may refer to the rest of the document. */
const drawingKeys = ['BBox', 'Matrix', 'Resources', 'Group', 'Filter', 'DecodeParms'] as const

/** Exports in stacking order, whatever the order of `refs`. */
export function exportAppearances(reading: Reading, page: number, refs: readonly AnnotationRef[]): Uint8Array {
  const drawings = drawingsOf(reading, page, refs)
  const [first, ...others] = drawings.map(({ rect }) => rect)
  if (first === undefined) throw new JobRefusal('NotFound', 'None of the annotations has an appearance')
  const copyLimits = new CopyLimits()
  for (const { object } of drawings) for (const key of drawingKeys) copyLimits.checkCopy(entry(object, key))
  return pageOf(drawings, others.reduce(union, first))
}

function drawingsOf(reading: Reading, page: number, refs: readonly AnnotationRef[]): readonly Drawing[] {
  if (refs.length > readingLimits.exportedAnnotationsMax) {
    const max = readingLimits.exportedAnnotationsMax
    const details = { limit: 'exportedAnnotationsMax', max, value: refs.length }
    throw new JobRefusal('PayloadTooLarge', `More than ${max} annotations are named`, details)
  }
  const { entries } = new PageAnnotations(reading, page)
  const known = new Set(entries.map(({ ref }) => annotationKey(ref)))
  for (const ref of refs) {
    if (ref.page.objectNumber === page && known.has(annotationKey(ref))) continue
    throw new JobRefusal('NotFound', `There is no annotation ${annotationKey(ref)} on the page obj:${page}`)
  }
  const requested = new Set(refs.map(annotationKey))
  return entries
    .filter(({ ref }) => requested.has(annotationKey(ref)))
    .map(({ object }) => drawingOf(object))
    .filter((drawing) => drawing !== undefined)
}

function drawingOf(annotation: PDFObject): Drawing | undefined {
  const object = normalAppearance(annotation)
  const rect = rectangleOf(entry(annotation, 'Rect')) ?? emptyRect
  const matrix = object === undefined ? undefined : placement(object, rect)
  return object === undefined || matrix === undefined ? undefined : { object, rect, matrix }
}

function pageOf(drawings: readonly Drawing[], { left, bottom, right, top }: PdfRect): Uint8Array {
  const target = new mupdf.PDFDocument()
  const graft = target.newGraftMap()
  try {
    const forms: Record<string, PDFObject> = {}
    const operators = drawings.map(({ object, matrix }, index) => {
      forms[`A${index}`] = copyOf(object, target, graft)
      return `q ${operands(translated(matrix, -left, -bottom))} cm /A${index} Do Q\n`
    })
    const mediaBox: [number, number, number, number] = [0, 0, right - left, top - bottom]
    target.insertPage(-1, target.addPage(mediaBox, 0, { XObject: forms }, operators.join('')))
    return savedBytes(target, 'garbage,compress')
  } finally {
    graft.destroy()
    target.destroy()
  }
}

function copyOf(drawing: PDFObject, target: PDFDocument, graft: PDFGraftMap): PDFObject {
  const members: Record<string, unknown> = {}
  for (const key of drawingKeys) {
    const value = entry(drawing, key)
    if (!isMissing(value)) members[key] = graft.graftObject(value)
  }
  const bytes = drawing.readRawStream()
  try {
    const form = target.addRawStream(bytes, members)
    form.put('Type', target.newName('XObject'))
    form.put('Subtype', target.newName('Form'))
    return form
  } finally {
    bytes.destroy()
  }
}
