// Reads the redaction marks of a page: what is to be redacted, and what is drawn in its place.

import type { AnnotatedPage } from '../annotations/annotated-page.js'
import { cornersOf, type Point } from '../annotations/drawing/geometry.js'
import { userQuads } from '../annotations/drawing/quads.js'
import type { AnnotationEntry } from '../annotations/reading/page-annotations.js'
import { isRegionOfRect } from '../annotations/region-of-rect.js'
import type { RedactAnnotation } from '../contract/annotations/redact.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { rectangleOf } from '../objects/rectangles.js'
import { entry, integerOf, nameOf } from '../objects/values.js'
import { type Corners, convexHull, Region } from './region.js'

export interface Mark {
  readonly found: AnnotationEntry
  readonly parts: readonly Corners[]
  readonly look: RedactAnnotation
}

/** Coordinate in points beyond every page, which single precision still resolves to a tenth. */
const far = 1_000_000

/** Bits 2 and 6 of the flags, Hidden and NoView (ISO 32000-2, table 167). */
const unseenFlags = 0b10_0010

export const isMark = ({ object }: AnnotationEntry): boolean => nameOf(entry(object, 'Subtype')) === 'Redact'

/** False for a mark that no viewer shows: it is applied by its name alone, so that nothing unseen is carried out. */
export const isSeen = ({ object }: AnnotationEntry): boolean =>
  ((integerOf(entry(object, 'F')) ?? 0) & unseenFlags) === 0

/**
 * Returns the mark; undefined if the annotation is no redaction mark. Throws `MalformedPdf` for a mark without an area,
 * which would seem to have been applied.
 */
export function markOf(page: AnnotatedPage, found: AnnotationEntry): Mark | undefined {
  const look = page.read(found)
  if (look.subtype !== 'redact') return undefined
  const shapes = shapesOf(page, found, look).map((shape) => convexHull(shape.map(clampedPoint)))
  const parts = shapes.filter(({ length }) => length > 0)
  if (parts.length > 0) return { found, look, parts }
  throw new JobRefusal('MalformedPdf', 'A redaction annotation marks no area', { annotation: found.ref })
}

export const regionOf = (marks: readonly Mark[]): Region => new Region(marks.flatMap(({ parts }) => parts))

function shapesOf({ space }: AnnotatedPage, { object }: AnnotationEntry, look: RedactAnnotation): readonly Corners[] {
  if (isRegionOfRect(look)) {
    const rect = rectangleOf(entry(object, 'Rect'))
    return rect === undefined ? [] : [cornersOf(rect)]
  }
  return userQuads(look.quadPoints, space).map((quad) => [
    quad.upperLeft,
    quad.upperRight,
    quad.lowerRight,
    quad.lowerLeft,
  ])
}

const clampedPoint = ({ x, y }: Point): Point => ({ x: clamped(x), y: clamped(y) })
const clamped = (value: number): number => Math.min(far, Math.max(-far, value))
