// Wire schemas of documents on the tenant plane: records, uploads, imports.
import { Type } from 'typebox'
import { strict } from '../../workers/contract/strict.js'
import { documentStates } from '../rows/document.js'
import { DocId, IdempotencyKey, Nullable, Sha256, Sha256AnyCase, TenantId } from './ids.js'

const Metadata = Type.Record(Type.String({ maxLength: 256 }), Type.Unknown(), { maxProperties: 100 })
const DedupMode = Type.Enum(['always-create', 'reuse-existing'])

export const Document = Type.Object({
  id: DocId,
  tenantId: TenantId,
  state: Type.Enum(documentStates),
  baseSha: Nullable(Sha256),
  storageSizeBytes: Nullable(Type.Integer({ minimum: 0 })),
  metadata: Nullable(Type.Record(Type.String(), Type.Unknown())),
  idempotencyKey: Nullable(Type.String()),
  failureReason: Nullable(Type.String()),
  thumbnailState: Type.Enum(['pending', 'ready', 'locked', 'failed']),
  thumbnailUrl: Nullable(Type.String()),
  /** Milliseconds since 1970. */
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
  createdBy: Nullable(Type.String()),
})

export const DocumentAnswer = Type.Object({ document: Document })
export const DocumentList = Type.Object({ documents: Type.Array(Document), nextCursor: Nullable(Type.String()) })

export const DocumentInit = Type.Object(
  {
    contentLength: Type.Integer({ minimum: 1 }),
    contentSha256: Sha256AnyCase,
    metadata: Type.Optional(Metadata),
    idempotencyKey: Type.Optional(IdempotencyKey),
    dedupMode: Type.Optional(DedupMode),
    docId: Type.Optional(DocId),
    uploadTtlSec: Type.Optional(Type.Number({ minimum: 60, maximum: 3600 })),
    uploadPreference: Type.Optional(Type.Enum(['auto', 'presigned', 'proxy'])),
  },
  strict,
)

const Presigned = Type.Object({
  url: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  method: Type.Literal('PUT'),
  expiresAt: Type.Integer(),
})

export const Upload = Type.Union([
  Type.Object({ kind: Type.Literal('presigned'), presigned: Presigned, key: Type.String() }),
  Type.Object({ kind: Type.Literal('proxy'), url: Type.String(), key: Type.String() }),
])

export const DocumentInitResult = Type.Union([
  Type.Object({ tag: Type.Enum(['created', 'resumed']), document: Document, upload: Upload }),
  Type.Object({ tag: Type.Literal('deduped'), document: Document }),
])

export const DocumentUploaded = Type.Object({ sha256: Sha256 })
export const DocumentCommit = Type.Object({ sha256: Sha256AnyCase }, strict)

export const ImportSource = Type.Union([
  Type.Object({ kind: Type.Literal('url'), url: Type.String({ minLength: 1, maxLength: 8192 }) }, strict),
  Type.Object(
    {
      kind: Type.Literal('connection'),
      connectionId: Type.String({ minLength: 1, maxLength: 128 }),
      key: Type.String({ minLength: 1, maxLength: 1024 }),
      revision: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    },
    strict,
  ),
])

export const DocumentImport = Type.Object(
  {
    source: ImportSource,
    expected: Type.Optional(
      Type.Object(
        {
          sizeBytes: Type.Optional(Type.Integer({ minimum: 1 })),
          sha256: Type.Optional(Sha256AnyCase),
        },
        strict,
      ),
    ),
    metadata: Type.Optional(Metadata),
    idempotencyKey: Type.Optional(IdempotencyKey),
    dedupMode: Type.Optional(DedupMode),
    docId: Type.Optional(DocId),
    mode: Type.Optional(Type.Enum(['sync', 'async'])),
  },
  strict,
)

export const DocumentImported = Type.Object({ tag: Type.Enum(['imported', 'deduped']), document: Document })
export const DocumentAccepted = Type.Object({ tag: Type.Literal('accepted'), document: Document })
