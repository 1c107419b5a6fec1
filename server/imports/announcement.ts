// Converts an import request of either mode to the announcement of its new document.
import type { NewDocument } from '../documents/new-document.js'
import type { ImportRequest } from './import-source.js'

export const announcementOf = (request: ImportRequest): Omit<NewDocument, 'ttlMs'> => ({
  origin: 'import',
  docId: request.docId,
  metadata: request.metadata,
  idempotencyKey: request.idempotencyKey,
  reusesExisting: request.dedupMode === 'reuse-existing',
  sizeBytes: request.expected?.sizeBytes,
  sha256: request.expected?.sha256?.toLowerCase(),
})
