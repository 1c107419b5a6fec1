// Wire schemas of what happened to a document: its edited layers, and its audit log.
import { Type } from 'typebox'
import { ChangeFacts } from '../rows/audit.js'
import { ReadKind } from '../rows/read.js'
import { AuditEvent } from './events.js'
import { LayerName, Nullable } from './ids.js'

const Count = Type.Integer({ minimum: 0 })

export const DocumentLayer = Type.Object({
  layerName: LayerName,
  versionNumber: Type.Integer({ minimum: 1 }),
  layerVersion: Count,
  storageSizeBytes: Count,
  redacted: Type.Boolean(),
  /** Milliseconds since 1970. */
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
})

export const DocumentLayers = Type.Object({
  layers: Type.Array(DocumentLayer),
  nextCursor: Nullable(Type.String()),
})

export const AuditEntry = Type.Object({
  ...Type.Pick(AuditEvent, ['id', 'ts', 'sub', 'kind', 'pageObjectNumber', 'affectedPages', 'originSessionId'])
    .properties,
  layerName: LayerName,
  idempotencyKey: Type.String(),
  undoOf: Nullable(Type.String()),
  facts: Nullable(ChangeFacts),
  undoable: Type.Boolean({ description: 'False if the change can never be undone.' }),
})

export const ChangeUndone = Type.Object({
  idempotencyKey: Type.String({ description: 'Names the undo, which is a change of its own.' }),
  layerName: LayerName,
  undoOf: Type.String(),
})

/** One reader, and one kind of reading, within some minutes. */
export const ReadEntry = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  /** First and last request, milliseconds since 1970. */
  ts: Type.Integer(),
  lastTs: Type.Integer(),
  kind: ReadKind,
  count: Type.Integer({ minimum: 1 }),
  sub: Nullable(Type.String()),
  share: Nullable(Type.String()),
  address: Type.String(),
  layerName: Nullable(Type.String()),
  pages: Type.Array(Type.Integer({ minimum: 1 })),
})

export const ReadLog = Type.Object({ entries: Type.Array(ReadEntry), nextCursor: Nullable(Type.String()) })

export const AuditLog = Type.Object({ entries: Type.Array(AuditEntry), nextCursor: Nullable(Type.String()) })
