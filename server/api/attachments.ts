// Operations that read the files that a document has attached.
import { Type } from 'typebox'
import { AttachmentList } from '../../workers/contract/attachments.js'
import { annotationRefOf } from '../documents/annotation-key.js'
import { sendAttachment } from '../documents/send-attachment.js'
import { sendJson } from '../documents/send-json.js'
import { versionedBesides, versionedBy } from '../documents/versioned-by.js'
import { tokenText } from '../http/token-text.js'
import { limits } from '../limits.js'
import { operation } from '../operation/operation.js'
import { AnnotationPath, LayerPath } from '../schemas/ids.js'

const downloading = { kind: 'document', capabilities: ['doc.download'] } as const
const anyBytes = ['application/octet-stream'] as const

const FilePath = Type.Object({
  ...LayerPath.properties,
  key: Type.String({
    pattern: '^[A-Za-z0-9.-]+$',
    maxLength: limits.pathParameterCharactersMax,
    examples: ['cmVwb3J0Lnhsc3g'],
  }),
})

export const attachmentOperations = [
  operation({
    name: 'doc.attachments.list',
    summary: 'The files that the document has attached',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/attachments',
    authority: { kind: 'document', capabilities: ['doc.open'] },
    input: { params: LayerPath },
    answer: AttachmentList,
    versioned: versionedBy('attachmentsVersion'),
    handle: (_input, context) =>
      sendJson(context, { pins: ['attachmentsVersion'], parts: ['attachments'] }, (source) =>
        context.deployment.workers.runJson('attachments', { source }),
      ),
  }),
  operation({
    name: 'doc.attachments.read',
    summary: 'The bytes of an attached file',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/attachment-files/:key/data',
    authority: downloading,
    input: { params: FilePath },
    answer: anyBytes,
    versioned: versionedBy('attachmentsVersion'),
    handle: ({ params }, context) => sendAttachment({ key: tokenText(params.key, 'key of the file') }, context),
  }),
  operation({
    name: 'doc.attachments.readOfAnnotation',
    summary: 'The bytes of the file of an annotation',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/attachment-files/pages/:pageKey/items/:annotKey/data',
    authority: downloading,
    input: { params: AnnotationPath },
    answer: anyBytes,
    // The annotation can be renamed or removed, which moves only the pin of its page.
    versioned: versionedBesides('attachmentsVersion', ['annotationVersion']),
    handle: ({ params }, context) =>
      sendAttachment({ annotation: annotationRefOf(params.pageKey, params.annotKey) }, context),
  }),
] as const
