// Wire schemas of what happened to a document: its edited layers, and its audit log.
import { Type } from 'typebox'
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
  undoable: Type.Boolean({ description: 'False if the change can never be undone.' }),
})

export const ChangeUndone = Type.Object({
  idempotencyKey: Type.String({ description: 'Names the undo, which is a change of its own.' }),
  layerName: LayerName,
  undoOf: Type.String(),
})

export const AuditLog = Type.Object({ entries: Type.Array(AuditEntry), nextCursor: Nullable(Type.String()) })
