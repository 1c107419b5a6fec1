// Writing annotations, one at a time: each request is a change by itself.
import { Type } from 'typebox'
import {
  type AnnotationDraft,
  AnnotationPatch,
  draftMembers,
  patchMembers,
} from '../../workers/contract/annotations/written.js'
import { AnnotationsCreate } from '../../workers/contract/ops/annotations-create.js'
import { AnnotationsDelete } from '../../workers/contract/ops/annotations-delete.js'
import { AnnotationsReorder } from '../../workers/contract/ops/annotations-reorder.js'
import { AnnotationsUpdate } from '../../workers/contract/ops/annotations-update.js'
import { ResourceKeys } from '../../workers/contract/ops/resource-keys.js'
import { strict } from '../../workers/contract/ops/strict.js'
import { pageRef } from '../../workers/contract/page-ref.js'
import type { CollabAction } from '../auth/collab.js'
import { writeOne } from '../changes/write-one.js'
import { annotationRefOf } from '../documents/annotation-key.js'
import { invalidArg } from '../errors.js'
import { operation } from '../operation.js'
import { AnnotationPath, objectNumberOf, PagePath } from '../schemas/ids.js'

const items = '/v1/docs/:docId/layers/:layerName/annotations/pages/:pageKey/items'

const annotating = (orCollab: CollabAction) =>
  ({ kind: 'document', capabilities: ['doc.annotate.modify'], orCollab }) as const

interface WithResources {
  readonly resources?: ResourceKeys
}

const resources = { resources: Type.Optional(ResourceKeys) }

/** The draft itself; the files it names come as parts beside it. */
const CreateBody = Type.Unsafe<AnnotationDraft & WithResources>(Type.Object({ ...draftMembers, ...resources }, strict))

type Patch = WithResources & { readonly patch?: AnnotationPatch }

/** The patch as the member `patch`, or its members themselves: generated clients send both. */
const UpdateBody = Type.Unsafe<AnnotationPatch & Patch>(
  Type.Object({ patch: Type.Optional(AnnotationPatch), ...patchMembers, ...resources }, strict),
)

const ReorderBody = Type.Object(
  { refs: AnnotationsReorder.op.properties.refs, position: AnnotationsReorder.op.properties.position },
  strict,
)

export const annotationWriteOperations = [
  operation({
    name: 'doc.annotations.create',
    summary: 'Put an annotation on a page',
    plane: 'document',
    method: 'POST',
    path: items,
    authority: annotating('create'),
    input: {
      params: PagePath,
      query: Type.Object({ objectNumber: Type.Optional(Type.Integer({ minimum: 1 })) }, strict),
      body: CreateBody,
    },
    resources: true,
    isChange: true,
    answer: Type.Omit(AnnotationsCreate.item, ['type', 'page']),
    handle({ params, query, body }, context) {
      const { resources: keys, ...data } = body
      const page = pageRef(objectNumberOf(params.pageKey))
      const op = { type: 'annotations.create', page, data, ...query, ...(keys && { resources: keys }) }
      return writeOne(context, op)
    },
  }),
  operation({
    name: 'doc.annotations.update',
    summary: 'Change members of an annotation; what is left out stays, null clears where the type has null',
    plane: 'document',
    method: 'PATCH',
    path: `${items}/:annotKey`,
    authority: annotating('update'),
    input: { params: AnnotationPath, body: UpdateBody },
    resources: true,
    isChange: true,
    answer: Type.Omit(AnnotationsUpdate.item, ['type', 'page', 'skipped']),
    handle({ params, body }, context) {
      const { resources: keys, patch, ...bare } = body
      const [beside] = Object.keys(bare)
      if (patch !== undefined && beside !== undefined)
        throw invalidArg(`The member ${beside} stands beside "patch"; it belongs into it`, { member: beside })
      const ref = annotationRefOf(params.pageKey, params.annotKey)
      const op = { type: 'annotations.update', ref, patch: patch ?? bare, ...(keys && { resources: keys }) }
      return writeOne(context, op)
    },
  }),
  operation({
    name: 'doc.annotations.delete',
    summary: 'Take an annotation off its page, with its replies, the members of its group and its popup',
    plane: 'document',
    method: 'DELETE',
    path: `${items}/:annotKey`,
    authority: annotating('delete'),
    input: { params: AnnotationPath },
    isChange: true,
    answer: Type.Omit(AnnotationsDelete.item, ['type', 'page']),
    handle({ params }, context) {
      const ref = annotationRefOf(params.pageKey, params.annotKey)
      return writeOne(context, { type: 'annotations.delete', ref })
    },
  }),
  operation({
    name: 'doc.annotations.reorder',
    summary: 'Move annotations within the stack of their page',
    plane: 'document',
    method: 'POST',
    path: `${items}/reorder`,
    authority: annotating('update'),
    input: { params: PagePath, body: ReorderBody },
    isChange: true,
    answer: Type.Omit(AnnotationsReorder.item, ['type', 'page']),
    handle({ params, body }, context) {
      const page = pageRef(objectNumberOf(params.pageKey))
      return writeOne(context, { type: 'annotations.reorder', page, ...body })
    },
  }),
] as const
