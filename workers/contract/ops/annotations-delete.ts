// Removes an annotation from its page, with its replies, the members of its group and its popup.
import { Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { Annotation } from '../annotations/annotation.js'
import { AnnotationPatch } from '../annotations/written.js'
import { AnnotationMeta } from '../mutation-meta.js'
import { PageRef } from '../page-ref.js'
import { annotating } from './needs.js'
import { opContract } from './op-contract.js'

/** Item of an undo step: annotations that it restored. */
const AnnotationsRestore = Type.Object({
  type: Type.Literal('annotations.restore'),
  page: PageRef,
  annotations: Type.Array(Annotation),
  meta: AnnotationMeta,
})

export const AnnotationsDelete = opContract({
  type: 'annotations.delete',
  summary: 'Remove an annotation from its page, with its replies, the members of its group and its popup',
  op: { ref: AnnotationRef, expect: Type.Optional(AnnotationPatch) },
  item: { page: PageRef, meta: AnnotationMeta },
  undoItems: [AnnotationsRestore],
  names: { annotations: ({ ref }) => [ref] },
  needs: annotating('delete'),
  protection: 'annotate',
  carries: 'own',
  isBatchable: true,
  route: {
    methods: ['DELETE'],
    path: '/annotations/pages/:pageKey/items/:annotKey',
    named: 'ref',
    auditKind: 'annot.delete',
    body: null,
    omitted: ['page'],
  },
})
