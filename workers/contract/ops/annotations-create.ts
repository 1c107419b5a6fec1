// Creates an annotation.
import { Type } from 'typebox'
import { Annotation } from '../annotations/annotation.js'
import { AnnotationDraft, draftMembers } from '../annotations/written.js'
import { AnnotationMeta } from '../mutation-meta.js'
import { CountFromOne } from '../numbers.js'
import { PageRef } from '../page-ref.js'
import { ResourceKeys } from '../resource-keys.js'
import { strict } from '../strict.js'
import { annotating } from './needs.js'
import { opContract, routeBody } from './op-contract.js'

/** Number of the new object, reserved in an editing session. */
const objectNumber = Type.Optional(CountFromOne)
const resources = Type.Optional(ResourceKeys)

/** Body of the route: the draft itself; its files are sent as parts of the same request. */
const Body = Type.Unsafe<AnnotationDraft & { readonly resources?: ResourceKeys }>(
  Type.Object({ ...draftMembers, resources }, strict),
)

export const AnnotationsCreate = opContract({
  type: 'annotations.create',
  summary: 'Put an annotation on a page',
  op: { page: PageRef, data: AnnotationDraft, objectNumber, resources },
  item: { page: PageRef, annotation: Annotation, meta: AnnotationMeta },
  names: { pages: ({ page }) => [page] },
  authored: { createdAnnotation: ({ annotation }) => annotation.ref },
  needs: annotating('create'),
  protection: 'annotate',
  carries: 'files',
  isBatchable: true,
  files: { member: 'resources', drawn: ['appearance'] },
  route: {
    methods: ['POST'],
    path: '/annotations/pages/:pageKey/items',
    named: 'page',
    auditKind: 'annot.create',
    query: Type.Object({ objectNumber }, strict),
    body: routeBody(Body, ({ resources: keys, ...data }) => ({ data, ...(keys && { resources: keys }) })),
    omitted: ['page'],
  },
})
