// Stand-ins for annotations, for the engine to draw: only in open copies used for nothing else.
import type { Matrix, PDFAnnotation, PDFPage } from 'mupdf'
import type { OpenDocument } from '../document/open-document.js'
import { mupdf } from '../engine/library.js'
import { rectangleOf } from '../objects/rectangles.js'
import { booleanOf, entry, isArray, isMissing } from '../objects/values.js'

export const standInKeys = {
  /** Key of a page: array drawn in place of /Annots. */
  list: 'STWD_Shown',
  /** Stand-in for a form field. */
  widget: 'STWD_OfField',
  /** Stand-in that is exempt from page rotation. */
  upright: 'STWD_Upright',
} as const

/** Passes the page to a callback, with stand-ins in place of its annotations if it has any. */
export function withShownPage<Answer>(document: OpenDocument, page: number, use: (page: PDFPage) => Answer): Answer {
  const shown = entry(document.pageObject(page), standInKeys.list)
  return isArray(shown) ? document.withAnnots(page, shown, use) : document.withPage(page, use)
}

export const standsForField = (annotation: PDFAnnotation): boolean =>
  booleanOf(entry(annotation.getObject(), standInKeys.widget)) === true

/** Returns the rotation of an upright annotation around its upper left corner, in user space. */
export function turnOf(annotation: PDFAnnotation, degrees: number): Matrix | undefined {
  const object = annotation.getObject()
  const rect = rectangleOf(entry(object, 'Rect'))
  if (isMissing(entry(object, standInKeys.upright)) || rect === undefined) return undefined
  const { left: x, top: y } = rect
  const turned = mupdf.Matrix.concat(mupdf.Matrix.translate(-x, -y), mupdf.Matrix.rotate(degrees))
  return mupdf.Matrix.concat(turned, mupdf.Matrix.translate(x, y))
}
