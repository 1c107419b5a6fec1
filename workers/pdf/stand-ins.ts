// What lies on a page, as the engine is given it to draw: only in open copies that nothing is read from or written to.
import type { Matrix, PDFAnnotation, PDFPage } from 'mupdf'
import { mupdf } from './library.js'
import type { OpenDocument } from './open-document.js'
import { rectangleOf } from './rectangles.js'
import { booleanOf, entry, isArray, isMissing } from './values.js'

export const standInKeys = {
  /** In a page: what is drawn in place of its /Annots. */
  list: 'STWD_Shown',
  /** It stands for a form field. */
  widget: 'STWD_OfField',
  /** It is not turned with the page. */
  upright: 'STWD_Upright',
} as const

/** Lends the page with what stands in for its annotations, where that was put. */
export function withShownPage<Answer>(document: OpenDocument, page: number, use: (page: PDFPage) => Answer): Answer {
  const object = document.pageObject(page)
  const shown = entry(object, standInKeys.list)
  if (!isArray(shown)) return document.withPage(page, use)
  const annots = object.get('Annots')
  // The engine reads the list once, when it loads the page.
  object.put('Annots', shown)
  try {
    return document.withPage(page, use)
  } finally {
    object.put('Annots', annots)
  }
}

export const standsForField = (annotation: PDFAnnotation): boolean =>
  booleanOf(entry(annotation.getObject(), standInKeys.widget)) === true

/** Of one that stays upright: how it is turned about its upper left corner, in the file's user space. */
export function turnOf(annotation: PDFAnnotation, degrees: number): Matrix | undefined {
  const object = annotation.getObject()
  const rect = rectangleOf(entry(object, 'Rect'))
  if (isMissing(entry(object, standInKeys.upright)) || rect === undefined) return undefined
  const { left: x, top: y } = rect
  const turned = mupdf.Matrix.concat(mupdf.Matrix.translate(-x, -y), mupdf.Matrix.rotate(degrees))
  return mupdf.Matrix.concat(turned, mupdf.Matrix.translate(x, y))
}
