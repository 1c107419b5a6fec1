// Computes the matrix that fits a drawing's box into its rectangle (ISO 32000-2, algorithm 8).
import type { PDFObject } from 'mupdf'
import type { PdfRect } from '../contract/pdf-rect.js'
import { isEmpty, rectangleOf } from '../objects/rectangles.js'
import { entry, numbersOf } from '../objects/values.js'

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** Returns the matrix; undefined if the drawing is invisible, because its box or rectangle is empty. */
export function placement(drawing: PDFObject, rect: PdfRect): Matrix | undefined {
  const box = rectangleOf(entry(drawing, 'BBox'))
  if (box === undefined || isEmpty(box) || isEmpty(rect)) return undefined
  const bounds = boundsOf(box, matrixOf(entry(drawing, 'Matrix')))
  if (isEmpty(bounds)) return undefined
  const scaleX = (rect.right - rect.left) / (bounds.right - bounds.left)
  const scaleY = (rect.top - rect.bottom) / (bounds.top - bounds.bottom)
  return [scaleX, 0, 0, scaleY, rect.left - bounds.left * scaleX, rect.bottom - bounds.bottom * scaleY]
}

export const translated = ([a, b, c, d, e, f]: Matrix, x: number, y: number): Matrix => [a, b, c, d, e + x, f + y]

export function matrixOf(array: PDFObject): Matrix {
  const [a, b, c, d, e, f] = numbersOf(array, 6) ?? []
  if (a === undefined || b === undefined || c === undefined || d === undefined) return identity
  return e === undefined || f === undefined ? identity : [a, b, c, d, e, f]
}

function boundsOf({ left, bottom, right, top }: PdfRect, [a, b, c, d, e, f]: Matrix): PdfRect {
  const corners = [left, right].flatMap((x) =>
    [bottom, top].map((y) => [a * x + c * y + e, b * x + d * y + f] as const),
  )
  const xs = corners.map(([x]) => x)
  const ys = corners.map(([, y]) => y)
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) }
}

/** Writes the matrix as operands: PDF has no exponents. */
export const operands = (matrix: Matrix): string => matrix.map((number) => number.toFixed(6)).join(' ')
