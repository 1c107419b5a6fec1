// Operations on documents of a tenant: upload, import, list, download, delete.
import { Type } from 'typebox'
import { strict } from '../../workers/contract/strict.js'
import { Name } from '../auth/claims.js'
import { undoInDocument } from '../changes/undo-in-document.js'
import { commitDocument } from '../documents/commit.js'
import { describeDocument } from '../documents/describe.js'
import { downloadDocument } from '../documents/download.js'
import { exportAudit } from '../documents/export-audit.js'
import { findDocument } from '../documents/find.js'
import { initDocument } from '../documents/init.js'
import { listDocuments } from '../documents/list.js'
import { listAudit } from '../documents/list-audit.js'
import { listLayers } from '../documents/list-layers.js'
import { listReads } from '../documents/list-reads.js'
import { sendThumbnail } from '../documents/thumbnail.js'
import { uploadDocument } from '../documents/upload.js'
import { importDocument } from '../imports/import-document.js'
import { operation } from '../operation/operation.js'
import { documentStates } from '../rows/document.js'
import { ReadKind } from '../rows/read.js'
import {
  DocumentAccepted,
  DocumentAnswer,
  DocumentCommit,
  DocumentImport,
  DocumentImported,
  DocumentInit,
  DocumentInitResult,
  DocumentList,
  DocumentUploaded,
} from '../schemas/document.js'
import { AuditLog, ChangeUndone, DocumentLayers, ReadLog } from '../schemas/document-history.js'
import { LayerName, PageQuery, TenantDocumentPath, TenantPath } from '../schemas/ids.js'

const reading = { kind: 'tenant', scopes: ['docs.read'] } as const
const creating = { kind: 'tenant', scopes: ['docs.create'] } as const

export const documentOperations = [
  operation({
    name: 'documents.list',
    summary: 'List documents, newest first',
    plane: 'tenant',
    method: 'GET',
    path: '/v1/tenants/:tenantId/documents',
    authority: reading,
    input: {
      params: TenantPath,
      query: Type.Object(
        {
          ...PageQuery,
          state: Type.Optional(Type.Enum([...documentStates])),
          name: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
        },
        strict,
      ),
    },
    answer: DocumentList,
    handle: ({ query }, context) => listDocuments(query, context),
  }),
  operation({
    name: 'documents.get',
    summary: 'Read the record of a document',
    plane: 'tenant',
    method: 'GET',
    path: '/v1/tenants/:tenantId/documents/:id',
    authority: reading,
    input: { params: TenantDocumentPath },
    answer: DocumentAnswer,
    handle: async ({ params }, context) => {
      const { row } = await findDocument(params.id, context)
      return { document: describeDocument(row, context.tenant.row.id) }
    },
  }),
  operation({
    name: 'documents.delete',
    summary: 'Delete a document with its versions, layers and bytes, irreversibly',
    plane: 'tenant',
    method: 'DELETE',
    path: '/v1/tenants/:tenantId/documents/:id',
    authority: { kind: 'tenant', scopes: ['docs.delete'] },
    input: { params: TenantDocumentPath },
    answer: 'none',
    handle: async ({ params }, context) => {
      const { deployment, tenant } = context
      const { internal } = await findDocument(params.id, context)
      await deployment.deletions.deleteDocument({ tenant: tenant.internal, document: internal })
    },
  }),
  operation({
    name: 'documents.init',
    summary: 'Announce an upload; the response states where to send its bytes',
    plane: 'tenant',
    method: 'POST',
    path: '/v1/tenants/:tenantId/documents/init',
    authority: creating,
    input: { params: TenantPath, body: DocumentInit },
    answer: DocumentInitResult,
    handle: ({ body }, context) => initDocument(body, context),
  }),
  operation({
    name: 'documents.uploadProxy',
    summary: 'Send the bytes of an announced upload through the server',
    plane: 'tenant',
    method: 'POST',
    path: '/v1/tenants/:tenantId/documents/:id/upload-proxy',
    authority: creating,
    input: { params: TenantDocumentPath },
    files: ['file'],
    answer: DocumentUploaded,
    handle: ({ params }, context) => uploadDocument(params.id, context),
  }),
  operation({
    name: 'documents.commit',
    summary: 'Publish a document from its uploaded bytes',
    plane: 'tenant',
    method: 'POST',
    path: '/v1/tenants/:tenantId/documents/:id/commit',
    authority: creating,
    input: { params: TenantDocumentPath, body: DocumentCommit },
    answer: DocumentAnswer,
    handle: async ({ params, body }, context) => {
      const row = await commitDocument(params.id, body.sha256, context)
      return { document: describeDocument(row, context.tenant.row.id) }
    },
  }),
  operation({
    name: 'documents.importFrom',
    summary: 'Fetch a document from a URL',
    plane: 'tenant',
    method: 'POST',
    path: '/v1/tenants/:tenantId/documents/import',
    authority: creating,
    input: { params: TenantPath, body: DocumentImport },
    answer: DocumentImported,
    answers: { 202: DocumentAccepted },
    handle: ({ body }, context) => importDocument(body, context),
  }),
  operation({
    name: 'documents.download',
    summary: 'The bytes of the newest version, as they were uploaded or signed',
    plane: 'tenant',
    method: 'GET',
    path: '/v1/tenants/:tenantId/documents/:id/download',
    authority: reading,
    input: { params: TenantDocumentPath },
    answer: ['application/pdf'],
    handle: ({ params }, context) => downloadDocument(params.id, context),
  }),
  operation({
    name: 'documents.thumbnail',
    summary: 'Thumbnail of the first page',
    plane: 'tenant',
    method: 'GET',
    path: '/v1/tenants/:tenantId/documents/:id/thumbnail',
    authority: reading,
    input: { params: TenantDocumentPath },
    answer: ['image/webp'],
    handle: ({ params }, context) => sendThumbnail(params.id, context),
  }),
  operation({
    name: 'documents.layers',
    summary: 'List the layers of a document that were edited, by name',
    plane: 'tenant',
    method: 'GET',
    path: '/v1/tenants/:tenantId/documents/:id/layers',
    authority: reading,
    input: { params: TenantDocumentPath, query: Type.Object(PageQuery, strict) },
    answer: DocumentLayers,
    handle: ({ params, query }, context) => listLayers(params.id, query, context),
  }),
  operation({
    name: 'documents.audit',
    summary: 'Who changed a document and when, newest first',
    plane: 'tenant',
    method: 'GET',
    path: '/v1/tenants/:tenantId/documents/:id/audit',
    authority: reading,
    input: {
      params: TenantDocumentPath,
      query: Type.Object(
        {
          ...PageQuery,
          layerName: Type.Optional(LayerName),
          sub: Type.Optional(Name),
          kind: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
        },
        strict,
      ),
    },
    answer: AuditLog,
    handle: ({ params, query }, context) => listAudit(params.id, query, context),
  }),
  operation({
    name: 'documents.reads',
    summary: 'Who read what of a document, newest first, if its tenant records that',
    plane: 'tenant',
    method: 'GET',
    path: '/v1/tenants/:tenantId/documents/:id/reads',
    authority: reading,
    input: {
      params: TenantDocumentPath,
      query: Type.Object({ ...PageQuery, sub: Type.Optional(Name), kind: Type.Optional(ReadKind) }, strict),
    },
    answer: ReadLog,
    handle: ({ params, query }, context) => listReads(params.id, query, context),
  }),
  operation({
    name: 'documents.audit.export',
    summary: 'The whole audit log of a document, or its log of reads, as CSV or NDJSON, oldest first',
    plane: 'tenant',
    method: 'GET',
    path: '/v1/tenants/:tenantId/documents/:id/audit/export',
    authority: reading,
    input: {
      params: TenantDocumentPath,
      query: Type.Object(
        { format: Type.Enum(['csv', 'ndjson']), log: Type.Optional(Type.Enum(['changes', 'reads'])) },
        strict,
      ),
    },
    answer: ['text/csv', 'application/x-ndjson'],
    handle: ({ params, query }, context) => exportAudit(params.id, query, context),
  }),
  operation({
    name: 'documents.undo',
    summary: 'Undo a change of the audit log, whoever made it',
    plane: 'tenant',
    method: 'POST',
    path: '/v1/tenants/:tenantId/documents/:id/undo',
    authority: { kind: 'tenant', scopes: ['docs.undo'] },
    input: {
      params: TenantDocumentPath,
      body: Type.Object(
        { auditId: Type.Integer({ minimum: 1, description: '`id` of the change in the audit log.' }) },
        strict,
      ),
    },
    answer: ChangeUndone,
    handle: ({ params, body }, context) => undoInDocument(params.id, body, context),
  }),
] as const
