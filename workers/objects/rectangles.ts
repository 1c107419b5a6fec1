// Rectangles in user space, stored in files as arrays of any two opposite corners (ISO 32000-2, 7.9.5).
import type { PDFObject } from 'mupdf'
import type { PdfRect } from '../contract/pdf-rect.js'
import { numbersOf } from './values.js'

export const emptyRect: PdfRect = { left: 0, bottom: 0, right: 0, top: 0 }

export function rectangleOf(array: PDFObject): PdfRect | undefined {
  const [x0, y0, x1, y1] = numbersOf(array, 4) ?? []
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return undefined
  return { left: Math.min(x0, x1), bottom: Math.min(y0, y1), right: Math.max(x0, x1), top: Math.max(y0, y1) }
}

export const isEmpty = ({ left, bottom, right, top }: PdfRect): boolean => right <= left || top <= bottom

export function intersection(one: PdfRect, other: PdfRect): PdfRect {
  return {
    left: Math.max(one.left, other.left),
    bottom: Math.max(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
    top: Math.min(one.top, other.top),
  }
}

export function union(one: PdfRect, other: PdfRect): PdfRect {
  return {
    left: Math.min(one.left, other.left),
    bottom: Math.min(one.bottom, other.bottom),
    right: Math.max(one.right, other.right),
    top: Math.max(one.top, other.top),
  }
}

/** Returns a rectangle with the same centre; width and height are swapped if `isQuarter`. */
export function turned({ left, bottom, right, top }: PdfRect): PdfRect {
  const x = (left + right) / 2
  const y = (bottom + top) / 2
  const halfWidth = (top - bottom) / 2
  const halfHeight = (right - left) / 2
  return { left: x - halfWidth, bottom: y - halfHeight, right: x + halfWidth, top: y + halfHeight }
}
