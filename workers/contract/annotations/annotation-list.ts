// Schema of the annotations of some pages, in stacking order within each page, and of the pages that were read.
import { type Static, Type } from 'typebox'
import { CountFromZero } from '../numbers.js'
import { PageRef } from '../page-ref.js'
import { Annotation } from './annotation.js'

export const AnnotationList = Type.Object({
  annotations: Type.Array(Annotation),
  pages: Type.Array(PageRef),
  auditHead: Type.Optional(CountFromZero),
})
export type AnnotationList = Static<typeof AnnotationList>
