// Takes an annotation off its page, with its replies, the members of its group and its popup (`annotations.delete`).
import { Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { AnnotationPatch } from '../annotations/written.js'
import { PageRef } from '../page-ref.js'
import { AnnotationMeta } from './mutation-meta.js'
import { strict } from './strict.js'

const type = Type.Literal('annotations.delete')

export const AnnotationsDelete = {
  op: Type.Object({ type, ref: AnnotationRef, expect: Type.Optional(AnnotationPatch) }, strict),
  item: Type.Object({ type, page: PageRef, meta: AnnotationMeta }),
} as const
