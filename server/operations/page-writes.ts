// Changing pages: which there are and in what order, how they lie, what they are called, what is drawn into them.
import { AnnotationsFlatten } from '../../workers/contract/ops/annotations-flatten.js'
import { PagesDelete } from '../../workers/contract/ops/pages-delete.js'
import { PagesFlatten } from '../../workers/contract/ops/pages-flatten.js'
import { PagesInsert } from '../../workers/contract/ops/pages-insert.js'
import { PagesInsertBlank } from '../../workers/contract/ops/pages-insert-blank.js'
import { PagesRemoveName } from '../../workers/contract/ops/pages-remove-name.js'
import { PagesReorder } from '../../workers/contract/ops/pages-reorder.js'
import { PagesRotate } from '../../workers/contract/ops/pages-rotate.js'
import { PagesSetName } from '../../workers/contract/ops/pages-set-name.js'
import { PagesSetScale } from '../../workers/contract/ops/pages-set-scale.js'
import { pageRef } from '../../workers/contract/page-ref.js'
import { writeOne } from '../changes/write-one.js'
import { operation } from '../operation.js'
import { LayerPath, objectNumberOf, PagePath } from '../schemas/ids.js'
import { itemAnswer } from '../schemas/item-answer.js'
import {
  AnnotationsFlattenBody,
  DeleteBody,
  FlattenBody,
  InsertBlankBody,
  InsertBody,
  RemoveNameBody,
  ReorderBody,
  RotateBody,
  ScaleBody,
  SetNameBody,
} from '../schemas/page-writes.js'

const assembling = { kind: 'document', capabilities: ['doc.pages.assemble'] } as const
const modifying = { kind: 'document', capabilities: ['doc.pages.modify'] } as const
const flattening = { kind: 'document', capabilities: ['doc.pages.modify', 'doc.annotate.modify'] } as const

/** Clients use either method. */
const setScale = (name: string, method: 'PUT' | 'POST') =>
  operation({
    name,
    summary: 'Give a page a scale, or take it away',
    plane: 'document',
    method,
    path: '/v1/docs/:docId/layers/:layerName/pages/:pageKey/scale',
    authority: modifying,
    input: { params: PagePath, body: ScaleBody },
    isBodyOptional: true,
    isChange: true,
    answer: itemAnswer(PagesSetScale.item),
    handle: ({ params, body: { measure = null } }, context) =>
      writeOne(context, { type: 'pages.setScale', page: pageRef(objectNumberOf(params.pageKey)), measure }),
  })

export const pageWriteOperations = [
  setScale('doc.pages.setScale', 'PUT'),
  setScale('doc.pages.setScale.post', 'POST'),
  operation({
    name: 'doc.pages.delete',
    summary: 'Delete pages, with their annotations and fields',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/pages/delete',
    authority: assembling,
    input: { params: LayerPath, body: DeleteBody },
    isChange: true,
    answer: itemAnswer(PagesDelete.item),
    handle: ({ body }, context) => writeOne(context, { type: 'pages.delete', ...body }),
  }),
  operation({
    name: 'doc.pages.flatten',
    summary: 'Draw annotations and fields of pages into their content, for good',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/pages/flatten',
    authority: flattening,
    input: { params: LayerPath, body: FlattenBody },
    isBodyOptional: true,
    isChange: true,
    answer: itemAnswer(PagesFlatten.item),
    handle: ({ body }, context) => writeOne(context, { type: 'pages.flatten', usage: 'display', ...body }),
  }),
  operation({
    name: 'doc.pages.insert',
    summary: 'Insert the pages of another PDF, with their annotations and fields',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/pages/insert',
    authority: assembling,
    input: { params: LayerPath, body: InsertBody },
    resources: true,
    bodyOfLoneFile: { position: 'end', resources: { source: 'file' } },
    isChange: true,
    answer: itemAnswer(PagesInsert.item),
    handle: ({ body }, context) => writeOne(context, { type: 'pages.insert', ...body }),
  }),
  operation({
    name: 'doc.pages.insertBlank',
    summary: 'Insert empty pages',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/pages/insert-blank',
    authority: assembling,
    input: { params: LayerPath, body: InsertBlankBody },
    isChange: true,
    answer: itemAnswer(PagesInsertBlank.item),
    handle: ({ body }, context) => writeOne(context, { type: 'pages.insertBlank', ...body }),
  }),
  operation({
    name: 'doc.pages.setName',
    summary: 'Give a page a name',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/pages/names',
    authority: assembling,
    input: { params: LayerPath, body: SetNameBody },
    isChange: true,
    answer: itemAnswer(PagesSetName.item),
    handle: ({ body }, context) => writeOne(context, { type: 'pages.setName', ...body }),
  }),
  operation({
    name: 'doc.pages.removeName',
    summary: 'Take the name of a page away',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/pages/names/delete',
    authority: assembling,
    input: { params: LayerPath, body: RemoveNameBody },
    isChange: true,
    answer: itemAnswer(PagesRemoveName.item),
    handle: ({ body }, context) => writeOne(context, { type: 'pages.removeName', ...body }),
  }),
  operation({
    name: 'doc.pages.reorder',
    summary: 'Move pages to another place',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/pages/reorder',
    authority: assembling,
    input: { params: LayerPath, body: ReorderBody },
    isChange: true,
    answer: itemAnswer(PagesReorder.item),
    handle: ({ body }, context) => writeOne(context, { type: 'pages.reorder', ...body }),
  }),
  operation({
    name: 'doc.pages.rotate',
    summary: 'Turn pages to an angle',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/pages/rotate',
    authority: assembling,
    input: { params: LayerPath, body: RotateBody },
    isChange: true,
    answer: itemAnswer(PagesRotate.item),
    handle: ({ body }, context) => writeOne(context, { type: 'pages.rotate', ...body }),
  }),
  operation({
    name: 'doc.annotations.flatten',
    summary: 'Draw annotations of a page into its content, for good',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/annotations/pages/:pageKey/items/flatten',
    authority: flattening,
    input: { params: PagePath, body: AnnotationsFlattenBody },
    isChange: true,
    answer: itemAnswer(AnnotationsFlatten.item),
    handle: ({ params, body }, context) =>
      writeOne(context, { type: 'annotations.flatten', page: pageRef(objectNumberOf(params.pageKey)), ...body }),
  }),
] as const
