// Operations that read annotations and their appearances.

import { AnnotationList } from '../../workers/contract/annotations/annotation-list.js'
import { AppearanceBatch } from '../../workers/contract/appearance-batch.js'
import { MarkPreview, MarkRequest } from '../../workers/contract/marking.js'
import { annotationRefOf } from '../documents/annotation-key.js'
import { appearancePins, appearancesOf } from '../documents/appearances.js'
import { exportAnnotations, xfdfType } from '../documents/export-values.js'
import { readOnce } from '../documents/read.js'
import { sendAnnotations } from '../documents/send-annotations.js'
import { versionedBy } from '../documents/versioned-by.js'
import { operation } from '../operation/operation.js'
import { AnnotationPath, LayerPath, objectNumberOf, PagePath } from '../schemas/ids.js'
import { AnnotationExport, AppearanceExport, AppearancesQuery } from '../schemas/reading.js'

const reading = { kind: 'document', capabilities: ['doc.annotate.read'] } as const
const downloading = { kind: 'document', capabilities: ['doc.download'] } as const

export const annotationOperations = [
  operation({
    name: 'doc.annotations.listAll',
    summary: 'All annotations of a layer',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/annotations/items',
    authority: reading,
    input: { params: LayerPath },
    answer: AnnotationList,
    versioned: versionedBy('annotationsVersion'),
    handle: (_input, context) => sendAnnotations(context),
  }),
  operation({
    name: 'doc.annotations.list',
    summary: 'The annotations of a page, in stacking order',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/annotations/pages/:pageKey/items',
    authority: reading,
    input: { params: PagePath },
    answer: AnnotationList,
    versioned: versionedBy('annotationVersion'),
    handle: ({ params }, context) => sendAnnotations(context, objectNumberOf(params.pageKey)),
  }),
  operation({
    name: 'doc.annotations.appearances',
    summary: 'Pictures of every appearance of the annotations of a page, each with its place',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/annotations/pages/:pageKey/appearances',
    authority: reading,
    input: { params: PagePath, query: AppearancesQuery },
    answer: ['multipart/form-data'],
    parts: AppearanceBatch,
    versioned: versionedBy(appearancePins.annotations),
    handle: ({ params, query }, context) =>
      appearancesOf({ pageKey: params.pageKey, query, owner: 'annotations' }, context),
  }),
  operation({
    name: 'doc.annotations.export',
    summary: 'The annotations of a layer as an XFDF file, with the values of its form if asked',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/annotations/export',
    // Values need doc.forms.read too.
    authority: reading,
    input: { params: LayerPath, query: AnnotationExport },
    answer: [xfdfType],
    handle: ({ query }, context) => exportAnnotations(context, query),
  }),
  operation({
    name: 'doc.annotations.readAppearance',
    summary: 'The appearance of an annotation as a PDF of one page',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/annotations/pages/:pageKey/items/:annotKey/resources/appearance',
    authority: downloading,
    input: { params: AnnotationPath },
    answer: ['application/pdf'],
    handle: async ({ params }, context) => {
      const page = objectNumberOf(params.pageKey)
      const annotation = annotationRefOf(params.pageKey, params.annotKey)
      const { bytes } = await readOnce(context, (source) =>
        context.deployment.workers.run('appearance', { source, page, annotation }),
      )
      return { contentType: 'application/pdf', body: bytes }
    },
  }),
  operation({
    name: 'doc.annotations.exportAppearance',
    summary: 'The appearances of several annotations of a page, together as a PDF of one page',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/annotations/pages/:pageKey/items/appearance',
    authority: downloading,
    input: { params: PagePath, body: AppearanceExport },
    answer: ['application/pdf'],
    handle: async ({ params, body }, context) => {
      const page = objectNumberOf(params.pageKey)
      const { bytes } = await readOnce(context, (source) =>
        context.deployment.workers.run('appearances', { source, page, annotations: body.refs }),
      )
      return { contentType: 'application/pdf', body: bytes }
    },
  }),
  operation({
    name: 'doc.annotations.previewMarks',
    summary: 'What `annotations.mark` would mark, and what its search cannot see, without marking anything',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/annotations/mark/preview',
    authority: { kind: 'document', capabilities: ['doc.text.search', 'doc.annotate.read'] },
    input: { params: LayerPath, body: MarkRequest },
    answer: MarkPreview,
    handle: async ({ body: { pages, data, ...sought } }, context) =>
      readOnce(context, (source) =>
        context.deployment.workers.run('marks', { source, sought, kind: data?.subtype ?? 'redact', pages }),
      ),
  }),
] as const
