// Wire schemas of event streams, which report rows of the audit log to readers of the layer, and who they are.
import { type Static, Type } from 'typebox'
import { CacheDelta } from '../../workers/contract/mutation-meta.js'
import { strict } from '../../workers/contract/strict.js'
import { Nullable } from './ids.js'

const Id = Type.Integer({ minimum: 1 })

/** Payload of a change whose content the reader may not see. */
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
  /** Response body that the writer received, or a `WithheldPayload`. */
  payload: Type.Unknown(),
})
export type AuditEvent = Static<typeof AuditEvent>

/** Reader of a layer, as others see it. */
export const PresentReader = Type.Object({
  id: Type.String({ maxLength: 64 }),
  sub: Type.String(),
  displayName: Nullable(Type.String()),
})
export type PresentReader = Static<typeof PresentReader>

export const PresenceEvent = Type.Object({
  /** The `id` of this reader in the list. */
  self: Type.String(),
  /** Each person once, this reader first; at most 50. */
  readers: Type.Array(PresentReader),
  /** Number of all readers, with those who are not in the list. */
  count: Type.Integer({ minimum: 1 }),
})
export type PresenceEvent = Static<typeof PresenceEvent>

export const EventsQuery = Type.Object({ presence: Type.Optional(Type.Boolean()) }, strict)
export type EventsQuery = Static<typeof EventsQuery>
