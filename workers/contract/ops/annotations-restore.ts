// Annotations that an undo brought back (`annotations.restore`): answered, never asked for.
import { Type } from 'typebox'
import { Annotation } from '../annotations/annotation.js'
import { PageRef } from '../page-ref.js'
import { AnnotationMeta } from './mutation-meta.js'

export const AnnotationsRestored = Type.Object({
  type: Type.Literal('annotations.restore'),
  page: PageRef,
  annotations: Type.Array(Annotation),
  meta: AnnotationMeta,
})
