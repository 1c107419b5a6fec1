// Moves annotations within the stack of their page (`annotations.reorder`).
import { Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { AnnotationPosition } from '../list-position.js'
import { PageRef } from '../page-ref.js'
import { AnnotationMeta } from './mutation-meta.js'
import { strict } from './strict.js'

const type = Type.Literal('annotations.reorder')

export const AnnotationsReorder = {
  op: Type.Object(
    { type, page: PageRef, refs: Type.Array(AnnotationRef, { minItems: 1 }), position: AnnotationPosition },
    strict,
  ),
  item: Type.Object({
    type,
    page: PageRef,
    /** All annotations of the page, bottom first. */
    order: Type.Array(AnnotationRef),
    meta: AnnotationMeta,
  }),
} as const
