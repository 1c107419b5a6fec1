// Draws annotations of one page into its content.
import { Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { FlattenStatus, FlattenUsage } from '../flatten.js'
import { MutationMeta } from '../mutation-meta.js'
import { PageRef } from '../page-ref.js'
import { flattening } from './needs.js'
import { opContract } from './op-contract.js'

export const AnnotationsFlatten = opContract({
  type: 'annotations.flatten',
  summary: 'Draw annotations of a page into its content, permanently',
  op: {
    page: PageRef,
    refs: Type.Array(AnnotationRef, { minItems: 1, maxItems: 10_000 }),
    usage: FlattenUsage,
  },
  item: {
    page: PageRef,
    usage: FlattenUsage,
    results: Type.Array(Type.Object({ ref: AnnotationRef, status: FlattenStatus })),
    meta: MutationMeta,
  },
  names: { annotations: ({ refs }) => refs, pages: ({ page }) => [page] },
  needs: flattening,
  protection: 'content',
  carries: 'document',
  isBatchable: false,
  route: {
    methods: ['POST'],
    path: '/annotations/pages/:pageKey/items/flatten',
    named: 'page',
    auditKind: 'annot.flatten',
  },
})
