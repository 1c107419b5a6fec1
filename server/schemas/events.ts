// The wire shapes of event streams: what one row of the audit log tells the readers of its layer.
import { type Static, Type } from 'typebox'
import { CacheDelta } from '../../workers/contract/mutation-meta.js'
import { Nullable } from './ids.js'

const Id = Type.Integer({ minimum: 1 })

/** All that is reported of a change whose content the reader may not see. */
export const WithheldPayload = Type.Object({ meta: Type.Object({ cacheDelta: Nullable(CacheDelta) }) })

export const AuditEvent = Type.Object({
  id: Id,
  /** Milliseconds since 1970. */
  ts: Type.Integer(),
  sub: Type.String(),
  kind: Type.String(),
  pageObjectNumber: Nullable(Id),
  affectedPages: Type.Array(Id),
  originSessionId: Nullable(Type.String()),
  idempotencyKey: Type.Optional(Nullable(Type.String())),
  undoOf: Type.Optional(Nullable(Type.String())),
  withheld: Type.Optional(Type.Boolean()),
  /** The very body the writer got, or a `WithheldPayload`. */
  payload: Type.Unknown(),
})
export type AuditEvent = Static<typeof AuditEvent>
