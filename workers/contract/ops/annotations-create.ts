// Makes an annotation (`annotations.create`).
import { Type } from 'typebox'
import { Annotation } from '../annotations/annotation.js'
import { AnnotationDraft } from '../annotations/written.js'
import { CountFromOne } from '../numbers.js'
import { PageRef } from '../page-ref.js'
import { AnnotationMeta } from './mutation-meta.js'
import { ResourceKeys } from './resource-keys.js'
import { strict } from './strict.js'

const type = Type.Literal('annotations.create')

export const AnnotationsCreate = {
  op: Type.Object(
    {
      type,
      page: PageRef,
      data: AnnotationDraft,
      /** A number reserved in an editing session. */
      objectNumber: Type.Optional(CountFromOne),
      resources: Type.Optional(ResourceKeys),
    },
    strict,
  ),
  item: Type.Object({ type, page: PageRef, annotation: Annotation, meta: AnnotationMeta }),
} as const
