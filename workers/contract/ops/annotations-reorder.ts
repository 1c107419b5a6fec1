// Moves annotations within the stacking order of their page.
import { Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { AnnotationPosition } from '../list-position.js'
import { AnnotationMeta } from '../mutation-meta.js'
import { PageRef } from '../page-ref.js'
import { annotating } from './needs.js'
import { opContract } from './op-contract.js'

export const AnnotationsReorder = opContract({
  type: 'annotations.reorder',
  summary: 'Move annotations within the stacking order of their page',
  op: { page: PageRef, refs: Type.Array(AnnotationRef, { minItems: 1 }), position: AnnotationPosition },
  item: {
    page: PageRef,
    /** All annotations of the page, bottom first. */
    order: Type.Array(AnnotationRef),
    meta: AnnotationMeta,
  },
  names: { annotations: ({ refs }) => refs, pages: ({ page }) => [page] },
  needs: annotating('update'),
  protection: 'annotate',
  carries: 'own',
  isBatchable: true,
  route: {
    methods: ['POST'],
    path: '/annotations/pages/:pageKey/items/reorder',
    named: 'page',
    auditKind: 'annot.reorder',
    omitted: ['page'],
  },
})
