// Changes members of an annotation.
import { Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { Annotation } from '../annotations/annotation.js'
import { AnnotationPatch, patchMembers } from '../annotations/written.js'
import { AppearanceOutcome } from '../appearance-outcome.js'
import { JobRefusal } from '../job-refusal.js'
import { AnnotationMeta } from '../mutation-meta.js'
import { PageRef } from '../page-ref.js'
import { ResourceKeys } from '../resource-keys.js'
import { skippedMembers } from '../skipped-members.js'
import { strict } from '../strict.js'
import { annotating } from './needs.js'
import { opContract, routeBody } from './op-contract.js'

const resources = Type.Optional(ResourceKeys)

type PatchMember = { readonly patch?: AnnotationPatch; readonly resources?: ResourceKeys }

/**
 * Body of the route: the patch as the member `patch`, or its members themselves, because generated clients send both.
 */
const Body = Type.Unsafe<AnnotationPatch & PatchMember>(
  Type.Object({ patch: Type.Optional(AnnotationPatch), ...patchMembers, resources }, strict),
)

export const AnnotationsUpdate = opContract({
  type: 'annotations.update',
  summary: 'Change members of an annotation; what is left out stays, null clears where the type has null',
  op: {
    ref: AnnotationRef,
    patch: AnnotationPatch,
    resources,
    /** Values that the caller expects these members to have now. */
    expect: Type.Optional(AnnotationPatch),
  },
  item: {
    page: PageRef,
    annotation: Annotation,
    appearance: AppearanceOutcome,
    meta: AnnotationMeta,
    ...skippedMembers,
  },
  names: { annotations: ({ ref }) => [ref] },
  authored: {
    updatedAnnotation: ({ annotation: { ref }, meta }) => ({ ref, isRewritten: meta.changed.length > 0 }),
  },
  needs: annotating('update'),
  protection: 'annotate',
  carries: 'files',
  isBatchable: true,
  files: { member: 'resources', drawn: ['appearance'] },
  route: {
    methods: ['PATCH'],
    path: '/annotations/pages/:pageKey/items/:annotKey',
    named: 'ref',
    auditKind: 'annot.update',
    body: routeBody(Body, ({ resources: keys, patch, ...bare }) => {
      const [beside] = Object.keys(bare)
      if (patch !== undefined && beside !== undefined) throw besidePatch(beside)
      return { patch: patch ?? bare, ...(keys && { resources: keys }) }
    }),
    omitted: ['page'],
  },
})

const besidePatch = (member: string) =>
  new JobRefusal('InvalidArg', `The member ${member} is beside "patch"; it belongs inside it`, { member })
