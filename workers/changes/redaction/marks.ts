// The marks of a page that say what is to be redacted, and what shall be drawn in their place.

import type { AnnotationEntry } from '../../pdf/annotations/page-annotations.js'
import { rectangleOf } from '../../pdf/rectangles.js'
import { entry, nameOf } from '../../pdf/values.js'
import type { RedactAnnotation } from '../../shapes/annotations/redact.js'
import type { AnnotatedPage } from '../annotations/annotated-page.js'
import { userQuads } from '../annotations/drawing/markup.js'
import { type Corners, Region } from './region.js'

export interface Mark {
  readonly found: AnnotationEntry
  readonly parts: readonly Corners[]
  readonly look: RedactAnnotation
}

export const isMark = ({ object }: AnnotationEntry): boolean => nameOf(entry(object, 'Subtype')) === 'Redact'

/** Undefined = the annotation is none. */
export function markOf(page: AnnotatedPage, found: AnnotationEntry): Mark | undefined {
  const look = page.read(found)
  if (look.subtype !== 'redact') return undefined
  return { found, look, parts: partsOf(page, found, look) }
}

export const regionOf = (marks: readonly Mark[]): Region => new Region(marks.flatMap(({ parts }) => parts))

function partsOf({ space }: AnnotatedPage, { object }: AnnotationEntry, look: RedactAnnotation): readonly Corners[] {
  if (look.quadPoints !== null) {
    return userQuads(look.quadPoints, space).map((quad) => [
      quad.upperLeft,
      quad.upperRight,
      quad.lowerRight,
      quad.lowerLeft,
    ])
  }
  const rect = rectangleOf(entry(object, 'Rect'))
  if (rect === undefined) return []
  const { left, bottom, right, top } = rect
  return [
    [
      { x: left, y: top },
      { x: right, y: top },
      { x: right, y: bottom },
      { x: left, y: bottom },
    ],
  ]
}
