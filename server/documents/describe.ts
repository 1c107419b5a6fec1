// Converts the row of a document to its representation on the tenant plane.
import type { Static } from 'typebox'
import type { DocumentRow } from '../rows/document.js'
import type { Document } from '../schemas/document.js'

export function describeDocument(row: DocumentRow, tenantId: string): Static<typeof Document> {
  const { id, state, headSha256, sizeBytes, metadata, idempotencyKey, failureReason, thumbnail } = row
  const path = `/v1/tenants/${tenantId}/documents/${id}/thumbnail`
  return {
    id,
    tenantId,
    state,
    baseSha: headSha256,
    storageSizeBytes: sizeBytes,
    metadata,
    idempotencyKey,
    failureReason,
    thumbnailState: thumbnail,
    thumbnailUrl: state === 'ready' && thumbnail === 'ready' ? path : null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    createdBy: row.createdBy,
  }
}
