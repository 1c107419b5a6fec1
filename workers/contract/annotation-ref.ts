// Reference of an annotation: its object number, or, for one that the uploaded file stored inline, its index in the
// /Annots of its page in that file.
import { type Static, Type } from 'typebox'
import { CountFromOne, CountFromZero } from './numbers.js'
import { PageRef } from './page-ref.js'

export const AnnotationRef = Type.Union([
  Type.Object({ kind: Type.Literal('objectNumber'), page: PageRef, objectNumber: CountFromOne }),
  Type.Object({ kind: Type.Literal('baseIndex'), page: PageRef, baseIndex: CountFromZero }),
])
export type AnnotationRef = Static<typeof AnnotationRef>

/** Returns the key used in paths: `obj:12`, `base:0`. */
export const annotationKey = (ref: AnnotationRef): string =>
  ref.kind === 'objectNumber' ? `obj:${ref.objectNumber}` : `base:${ref.baseIndex}`
