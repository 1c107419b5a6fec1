// Operations on the versions of a document and on the signatures in them.
import { Type } from 'typebox'
import { SignatureSnapshot } from '../../workers/contract/signatures/signature-snapshot.js'
import { downloadRevision, downloadVersion, listVersions } from '../documents/versions.js'
import { operation } from '../operation/operation.js'
import { DocumentVersions } from '../schemas/head.js'
import { DocId, DocumentPath, LayerPath, Sha256, VersionPath } from '../schemas/ids.js'
import { listLayerSignatures, listVersionSignatures, sendContents, sendDigest } from '../versions/signatures.js'

const opening = { kind: 'document', capabilities: ['doc.open'] } as const
const downloading = { kind: 'document', capabilities: ['doc.download'] } as const
const readingForms = { kind: 'document', capabilities: ['doc.forms.read'] } as const

/** Full name of a signature field as base64 of UTF-8, with `-` for `+`, `.` for `/` and no padding. */
const FieldToken = Type.String({ minLength: 1, maxLength: 8192, examples: ['U2lnbmF0dXJl'] })
const SignaturePath = { docId: DocId, sha: Sha256, fieldKey: FieldToken }

export const versionOperations = [
  operation({
    name: 'doc.versions.list',
    summary: 'The versions of a document, oldest first',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/versions',
    authority: opening,
    input: { params: DocumentPath },
    answer: DocumentVersions,
    handle: (_input, context) => listVersions(context),
  }),
  operation({
    name: 'doc.versions.download',
    summary: 'The bytes of a version',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/versions/download/:sha',
    authority: downloading,
    input: { params: VersionPath },
    answer: ['application/pdf'],
    isImmutable: true,
    handle: ({ params }, context) => downloadVersion(params.sha, context),
  }),
  operation({
    name: 'doc.versions.revision',
    summary: 'The bytes of a version up to the end of one of its revisions',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/versions/revisions/:sha/:index',
    authority: downloading,
    input: { params: Type.Object({ docId: DocId, sha: Sha256, index: Type.Integer({ minimum: 0 }) }) },
    answer: ['application/pdf'],
    isImmutable: true,
    handle: ({ params }, context) => downloadRevision(params, context),
  }),
  operation({
    name: 'doc.versions.signatures',
    summary: 'The signature fields, revisions and protection of a version',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/versions/signatures/:sha',
    authority: readingForms,
    input: { params: VersionPath },
    answer: SignatureSnapshot,
    handle: ({ params }, context) => listVersionSignatures(params.sha, context),
  }),
  operation({
    name: 'doc.versions.signatureContents',
    summary: 'The CMS of a signature, as DER',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/versions/signatures/:sha/:fieldKey/contents',
    authority: readingForms,
    input: { params: Type.Object(SignaturePath) },
    answer: ['application/pkcs7-signature'],
    isImmutable: true,
    handle: ({ params }, context) => sendContents(params, context),
  }),
  operation({
    name: 'doc.versions.signatureDigest',
    summary: 'The digest of the bytes that a signature covers',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/versions/signatures/:sha/:fieldKey/digest/:algorithm',
    authority: readingForms,
    input: {
      params: Type.Object({ ...SignaturePath, algorithm: Type.Enum(['sha1', 'sha256', 'sha384', 'sha512']) }),
    },
    answer: ['application/octet-stream'],
    isImmutable: true,
    handle: ({ params }, context) => sendDigest(params, context),
  }),
  operation({
    name: 'doc.signatures.list',
    summary: 'The signature fields of a layer, with its edits as the last revision',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/signatures',
    authority: readingForms,
    input: { params: LayerPath },
    answer: SignatureSnapshot,
    handle: (_input, context) => listLayerSignatures(context),
  }),
] as const
