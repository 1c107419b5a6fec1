// Draws an annotation according to its members, and writes the rectangle of the drawing.
import type { PDFObject } from 'mupdf'
import type { Annotation } from '../contract/annotations/annotation.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import { ownKeys } from '../objects/own-keys.js'
import { booleanOf, entry, isStream } from '../objects/values.js'
import type { AnnotatedPage } from './annotated-page.js'
import { Appearance, groupName } from './appearance.js'
import { Sheet } from './drawing/sheet.js'
import { putNumbers, putRect, type Target } from './entries.js'
import { pictureName } from './pictures.js'
import { boundsOfTurned } from './reading/turns.js'
import { isRegionOfRect } from './region-of-rect.js'
import type { SubtypeWriting } from './subtype-work.js'

export interface AnnotationDrawing {
  readonly page: AnnotatedPage
  readonly object: PDFObject
  readonly state: Annotation
  readonly writing: SubtypeWriting
  /** New picture of a stamp. */
  readonly picture?: PDFObject | undefined
}

export type DrawingOutcome =
  | { readonly action: 'preserved' | 'generation-unavailable'; readonly changed: false }
  | { readonly action: 'regenerated'; readonly changed: boolean }

/** Draws the annotation again after a visible change, if it can be drawn. */
export function drawAnnotation({ page, object, state, writing, picture }: AnnotationDrawing): DrawingOutcome {
  const target = page.target(object)
  if (writing.draw === undefined) {
    putRect(target, 'Rect', page.space.toUserRect(state.rect))
    return { action: 'preserved', changed: false }
  }
  const appearance = new Appearance(page.change, object, page)
  const shownPicture = writing.resource === 'appearance' ? (picture ?? pictureOf(appearance)) : undefined
  const sheet = new Sheet()
  try {
    writing.draw(sheet, state, { subtype: state.subtype, space: page.space, picture: shownPicture })
    const isDrawable = writing.resource !== 'appearance' || shownPicture !== undefined
    const reached = isDrawable ? sheet.bounds : undefined
    const bounds = putGeometry(target, state, writing, reached)
    if (!isDrawable) return { action: 'generation-unavailable', changed: false }
    const opacity = 'opacity' in state ? state.opacity : 1
    const changed = appearance.draw(sheet, bounds, { opacity, blendMode: state.blendMode })
    return { action: 'regenerated', changed }
  } finally {
    sheet.destroy()
  }
}

/** Returns the picture of a stamp: the one that it was drawn from, else its whole appearance. */
export function pictureOf({ normal }: Appearance): PDFObject | undefined {
  if (normal === undefined || booleanOf(entry(normal, ownKeys.drawing)) !== true) return normal
  for (const form of [normal, entry(normal, 'Resources', 'XObject', groupName)]) {
    const picture = entry(form, 'Resources', 'XObject', pictureName)
    if (isStream(picture)) return picture
  }
  return undefined
}

function putGeometry(
  target: Target,
  state: Annotation,
  { shape }: SubtypeWriting,
  reached: PdfRect | undefined,
): PdfRect {
  if (shape === 'rect' || (shape === 'region' && 'quadPoints' in state && isRegionOfRect(state))) {
    const rect = target.space.toUserRect(state.rect)
    putRect(target, 'Rect', rect)
    return rect
  }
  if (shape !== 'box' || !('box' in state)) {
    const bounds = reached ?? target.space.toUserRect(state.rect)
    putRect(target, 'Rect', bounds)
    return bounds
  }
  const box = target.space.toUserRect(state.box)
  const degrees = state.rotation ?? 0
  const upright = degrees === 0 ? box : boundsOfTurned(box, degrees)
  const bounds = reached ?? upright
  putRect(target, 'Rect', bounds)
  putDifferences(target, bounds, upright)
  putRect(target, ownKeys.box, degrees % 90 === 0 ? null : box)
  return bounds
}

/** Minimum difference in points; smaller ones are rounding errors. */
const differenceMin = 0.001

/** Writes `/RD` (ISO 32000-2, table 180): the distances from the rectangle to the drawn shape. */
function putDifferences(target: Target, bounds: PdfRect, shape: PdfRect): void {
  const differences = [
    shape.left - bounds.left,
    shape.bottom - bounds.bottom,
    bounds.right - shape.right,
    bounds.top - shape.top,
  ].map((difference) => Math.max(0, difference))
  putNumbers(target, 'RD', differences.some((difference) => difference >= differenceMin) ? differences : null)
}
