// Computes the matrix of an annotation's drawing in page content: in its rectangle, and upright if its flags exempt it
// from the rotation of the page (ISO 32000-2, 12.5.3).
import type { PDFObject } from 'mupdf'
import { flagNames } from '../annotations/reading/common.js'
import { type Matrix, placement } from '../content/placement.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import { pageRotation } from '../document/page-boxes.js'
import { entry, integerOf, nameOf } from '../objects/values.js'

export interface PlacedDrawing {
  readonly annotation: PDFObject
  readonly form: PDFObject
  readonly rect: PdfRect
  readonly page: PDFObject
}

const noRotate = 1 << flagNames.indexOf('noRotate')

/** Returns undefined if the drawing is invisible. */
export function drawingPlacement({ annotation, form, rect, page }: PlacedDrawing): Matrix | undefined {
  const matrix = placement(form, rect)
  if (matrix === undefined || !isUpright(annotation)) return matrix
  return turnedAbout(matrix, { x: rect.left, y: rect.top }, pageRotation(page))
}

/**
 * True if the annotation is exempt from page rotation: text annotations always are, whatever their flags (12.5.6.4).
 */
export const isUpright = (annotation: PDFObject): boolean =>
  nameOf(entry(annotation, 'Subtype')) === 'Text' || ((integerOf(entry(annotation, 'F')) ?? 0) & noRotate) !== 0

/** Rotates a matrix counterclockwise about a point, because the page is shown rotated clockwise. */
function turnedAbout([a, b, c, d, e, f]: Matrix, { x, y }: { x: number; y: number }, degrees: number): Matrix {
  const [cosine, sine] = [
    Math.round(Math.cos((degrees * Math.PI) / 180)),
    Math.round(Math.sin((degrees * Math.PI) / 180)),
  ]
  const turn = (u: number, v: number): readonly [number, number] => [cosine * u - sine * v, sine * u + cosine * v]
  const [na, nb] = turn(a, b)
  const [nc, nd] = turn(c, d)
  const [ne, nf] = turn(e - x, f - y)
  return [na, nb, nc, nd, ne + x, nf + y]
}
