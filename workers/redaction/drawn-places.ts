// Places where an annotation is drawn. An appearance is fitted into the rectangle; without one, readers draw the shape
// from the annotation's own points, wherever its rectangle is.
import type { PDFObject } from 'mupdf'
import type { AnnotatedPage } from '../annotations/annotated-page.js'
import { normalAppearance } from '../annotations/appearances/normal-appearance.js'
import { boundsOf, outset, type Point } from '../annotations/drawing/geometry.js'
import { Sheet } from '../annotations/drawing/sheet.js'
import { findWriting } from '../annotations/load-subtypes.js'
import { readAnnotation } from '../annotations/reading/list.js'
import type { AnnotationEntry } from '../annotations/reading/page-annotations.js'
import { borderOf } from '../annotations/reading/shared-members.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import { orElse } from '../engine/trap.js'
import { readingLimits } from '../objects/reading-limits.js'
import { rectangleOf } from '../objects/rectangles.js'
import { elementsOf, entry, isArray, isMissing, numberOf } from '../objects/values.js'

/** Entries with the points of a shape (ISO 32000-2, tables 176 to 185). */
const shapeKeys = ['InkList', 'L', 'Vertices', 'CL', 'QuadPoints', 'Path'] as const
/** Nesting of a list of lists of points. */
const nestingMax = 2
/** Margin in points for a line thinner than that, and for a line without extent. */
const marginMin = 0.5
/** Extent of a line ending for each point of line width; the longest are arrows (`drawing/endings.ts`). */
const endingReach = 12

/** Yields the places, the cheapest to compute first; none if the annotation has neither rectangle nor points. */
export function* drawnPlaces(page: AnnotatedPage, found: AnnotationEntry): Generator<PdfRect> {
  const { object } = found
  const rect = rectangleOf(entry(object, 'Rect'))
  if (rect !== undefined) yield rect
  if (normalAppearance(object) !== undefined) return
  const margin = marginOf(object)
  for (const key of shapeKeys) {
    const bounds = boundsOf([...pointsIn(entry(object, key))])
    if (bounds !== undefined) yield outset(bounds, margin)
  }
  const drawn = orElse(undefined, () => boundsDrawnHere(page, found))
  if (drawn !== undefined) yield drawn
}

function marginOf(object: PDFObject): number {
  const { strokeWidth } = borderOf({ object })
  return isMissing(entry(object, 'LE')) ? Math.max(marginMin, strokeWidth / 2) : endingReach * Math.max(1, strokeWidth)
}

/** Yields the points of a list, or of lists in it. Whatever is no number counts as 0, as readers have it. */
function* pointsIn(list: PDFObject, nesting = nestingMax): Generator<Point> {
  let x: number | undefined
  for (const element of elementsOf(list, readingLimits.numbersMax)) {
    if (isArray(element)) {
      if (nesting > 0) yield* pointsIn(element, nesting - 1)
      continue
    }
    const value = numberOf(element) ?? 0
    if (x !== undefined) yield { x, y: value }
    x = x === undefined ? value : undefined
  }
}

/** Returns the bounds of what would be drawn here for the annotation, with captions, icons and leader lines. */
function boundsDrawnHere({ change, space, siblings }: AnnotatedPage, found: AnnotationEntry): PdfRect | undefined {
  const state = readAnnotation({ ...found, reading: change.reading(), space, siblings })
  const writing = findWriting(state.subtype)
  if (writing?.draw === undefined || writing.resource === 'appearance') return undefined
  const sheet = new Sheet()
  try {
    writing.draw(sheet, state, { subtype: state.subtype, space, picture: undefined })
    return sheet.bounds
  } finally {
    sheet.destroy()
  }
}
