// Draws annotations of one page into its content.
import { Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { PageRef } from '../page-ref.js'
import { FlattenStatus, FlattenUsage } from './flatten.js'
import { MutationMeta } from './mutation-meta.js'
import type { OpShape } from './op-shape.js'
import { strict } from './strict.js'

export const AnnotationsFlatten = {
  op: Type.Object(
    {
      type: Type.Literal('annotations.flatten'),
      page: PageRef,
      refs: Type.Array(AnnotationRef, { minItems: 1, maxItems: 10_000 }),
      usage: FlattenUsage,
    },
    strict,
  ),
  item: Type.Object({
    type: Type.Literal('annotations.flatten'),
    page: PageRef,
    usage: FlattenUsage,
    results: Type.Array(Type.Object({ ref: AnnotationRef, status: FlattenStatus })),
    meta: MutationMeta,
  }),
} as const satisfies OpShape
