// Marks every place where a text, a pattern or a kind of number stands: one redaction mark or highlight for each hit.
import { Type } from 'typebox'
import { Annotation } from '../annotations/annotation.js'
import { markReportMembers, markRequestMembers } from '../marking.js'
import { AnnotationMeta } from '../mutation-meta.js'
import { markingBySearch } from './needs.js'
import { opContract } from './op-contract.js'

export const AnnotationsMark = opContract({
  type: 'annotations.mark',
  summary: 'Mark every place of a text, a pattern or a kind of number for redaction, or highlight it',
  op: markRequestMembers,
  item: { ...markReportMembers, annotations: Type.Array(Annotation), meta: AnnotationMeta },
  names: { pages: ({ pages = [] }) => pages },
  authored: { createdAnnotations: ({ annotations }) => annotations.map(({ ref }) => ref) },
  needs: markingBySearch,
  protection: 'annotate',
  carries: 'own',
  isBatchable: true,
  route: { methods: ['POST'], path: '/annotations/mark', auditKind: 'annot.mark' },
})
