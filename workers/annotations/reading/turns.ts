// Shapes that are rotated about their centre: /Rect is the upright box around the rotated shape, from which the shape
// is computed.
import type { PDFObject } from 'mupdf'
import type { Box } from '../../contract/annotations/shared-members.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import { tidy } from '../../document/page-space.js'
import { ownKeys } from '../../objects/own-keys.js'
import { emptyRect, isEmpty, rectangleOf, turned } from '../../objects/rectangles.js'
import { entry, numberOf, numbersOf } from '../../objects/values.js'
import type { AnnotationSource } from './annotation-source.js'

/** Minimum determinant; below it the angle is too near to 45 degrees to compute the sides from the bounding box. */
const determinantMin = 0.01

/** Returns degrees clockwise from 0 to 360 (the file counts counter-clockwise); null if the file states none. */
export function rotationOf({ object }: { readonly object: PDFObject }): number | null {
  const degrees = numberOf(entry(object, 'Rotate'))
  return degrees === undefined ? null : clockwise(degrees)
}

export const clockwise = (counterClockwise: number): number => tidy((360 - (counterClockwise % 360)) % 360)

/** Returns the shape within /Rect, less the differences /RD for borders and effects. */
export function boxOf(source: AnnotationSource): Box {
  const { object, space } = source
  const rotation = rotationOf(source)
  const rect = rectangleOf(entry(object, 'Rect')) ?? emptyRect
  const bounds = inset(rect, entry(object, 'RD'))
  return {
    box: space.toPageBox(rememberedBox(object, bounds, rotation ?? 0) ?? withoutTurn(bounds, rotation ?? 0)),
    rotation,
  }
}

/** Returns the stored box; undefined if there is none, or if another program has moved the annotation since. */
function rememberedBox(object: PDFObject, bounds: PdfRect, degrees: number): PdfRect | undefined {
  const box = rectangleOf(entry(object, ownKeys.box))
  if (box === undefined) return undefined
  const expected = boundsOfTurned(box, degrees)
  const isSame = sides.every((side) => Math.abs(expected[side] - bounds[side]) < grain)
  return isSame ? box : undefined
}

const sides = ['left', 'bottom', 'right', 'top'] as const
/** Tolerance in points, for the loss of single precision. */
const grain = 0.01

/** Returns the upright bounding box of a box that is rotated about its centre. */
export function boundsOfTurned(box: PdfRect, degrees: number): PdfRect {
  const cosine = Math.abs(Math.cos((degrees * Math.PI) / 180))
  const sine = Math.abs(Math.sin((degrees * Math.PI) / 180))
  const [width, height] = [box.right - box.left, box.top - box.bottom]
  const x = (box.left + box.right) / 2
  const y = (box.bottom + box.top) / 2
  const halfWidth = (width * cosine + height * sine) / 2
  const halfHeight = (width * sine + height * cosine) / 2
  return {
    left: tidy(x - halfWidth),
    bottom: tidy(y - halfHeight),
    right: tidy(x + halfWidth),
    top: tidy(y + halfHeight),
  }
}

/** Returns the box whose upright bounding box, after the rotation, is `rect`. */
export function withoutTurn(rect: PdfRect, degrees: number): PdfRect {
  const quarters = degrees / 90
  if (Number.isInteger(quarters)) return quarters % 2 === 0 ? rect : turned(rect)
  const cosine = Math.abs(Math.cos((degrees * Math.PI) / 180))
  const sine = Math.abs(Math.sin((degrees * Math.PI) / 180))
  const determinant = cosine ** 2 - sine ** 2
  const boundsWidth = rect.right - rect.left
  const boundsHeight = rect.top - rect.bottom
  const width = (boundsWidth * cosine - boundsHeight * sine) / determinant
  const height = (boundsHeight * cosine - boundsWidth * sine) / determinant
  if (Math.abs(determinant) < determinantMin || width <= 0 || height <= 0) return rect
  const x = (rect.left + rect.right) / 2
  const y = (rect.bottom + rect.top) / 2
  return { left: x - width / 2, bottom: y - height / 2, right: x + width / 2, top: y + height / 2 }
}

/**
 * Reads differences (ISO 32000-2, table 180: left, bottom, right, top). Those that leave an empty rectangle are
 * ignored.
 */
function inset(rect: PdfRect, differences: PDFObject): PdfRect {
  const [left, bottom, right, top] = numbersOf(differences, 4) ?? []
  if (left === undefined || bottom === undefined || right === undefined || top === undefined) return rect
  if (Math.min(left, bottom, right, top) < 0) return rect
  const inner = {
    left: rect.left + left,
    bottom: rect.bottom + bottom,
    right: rect.right - right,
    top: rect.top - top,
  }
  return isEmpty(inner) ? rect : inner
}
