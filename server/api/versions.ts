// Operations on versions: their bytes, revisions and signatures; and the signatures of a layer.
import { Type } from 'typebox'
import { SignatureSnapshot } from '../../workers/contract/signatures/signature-snapshot.js'
import { downloadVersion } from '../documents/find-version.js'
import { versionedInLayer } from '../documents/versioned-by.js'
import { operation } from '../operation/operation.js'
import { DocumentVersions } from '../schemas/head.js'
import { DocId, DocumentPath, LayerPath, Sha256, VersionPath } from '../schemas/ids.js'
import { digestAlgorithms, sendSignatureContents, sendSignatureDigest } from '../versions/field-signature.js'
import { listVersions } from '../versions/list-versions.js'
import { downloadRevision } from '../versions/revision.js'
import { sendLayerSignatures, sendVersionSignatures } from '../versions/signatures.js'

const opening = { kind: 'document', capabilities: ['doc.open'] } as const
const downloading = { kind: 'document', capabilities: ['doc.download'] } as const
const readingForms = { kind: 'document', capabilities: ['doc.forms.read'] } as const

/** Full name of a field: UTF-8 in base64 with `-` and `.` for `+` and `/`, without padding. */
const FieldName = Type.String({ pattern: '^[A-Za-z0-9.-]+$', maxLength: 8192, examples: ['U2lnbmF0dXJlMQ'] })

export const versionOperations = [
  operation({
    name: 'doc.signatures.list',
    summary: 'The signature fields of a layer: those of its base version, and its own edits as the last revision',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/signatures',
    authority: readingForms,
    input: { params: LayerPath },
    answer: SignatureSnapshot,
    versioned: {
      ...versionedInLayer('docVersion'),
      // The operator may trust other roots later.
      isFixed: ({ trustRoots }) => trustRoots === undefined,
    },
    handle: (_input, context) => sendLayerSignatures(context),
  }),
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
    summary: 'The signature fields of a version, with its revisions and what they permit',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/versions/signatures/:sha',
    authority: readingForms,
    input: { params: VersionPath },
    answer: SignatureSnapshot,
    handle: ({ params }, context) => sendVersionSignatures(params.sha, context),
  }),
  operation({
    name: 'doc.versions.signatureContents',
    summary: 'The CMS of a signature in DER, without padding',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/versions/signatures/:sha/:fieldKey/contents',
    authority: readingForms,
    input: { params: Type.Object({ docId: DocId, sha: Sha256, fieldKey: FieldName }) },
    answer: ['application/pkcs7-signature'],
    isImmutable: true,
    handle: ({ params }, context) => sendSignatureContents(params, context),
  }),
  operation({
    name: 'doc.versions.signatureDigest',
    summary: 'The digest of the bytes that a signature covers, which its CMS must contain',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/versions/signatures/:sha/:fieldKey/digest/:algorithm',
    authority: readingForms,
    input: {
      params: Type.Object({ docId: DocId, sha: Sha256, fieldKey: FieldName, algorithm: Type.Enum(digestAlgorithms) }),
    },
    answer: ['application/octet-stream'],
    isImmutable: true,
    handle: ({ params }, context) => sendSignatureDigest(params, context),
  }),
] as const
