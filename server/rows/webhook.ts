// Row of a webhook: an address of a tenant that is told what happens to its documents. The secret is stored sealed.
import { type Static, type TSchema, Type } from 'typebox'

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** Types of events, as written in rows and deliveries. */
export const eventTypes = [
  'document.ready',
  'document.failed',
  'document.changed',
  'version.created',
  'share.opened',
] as const
export type EventType = (typeof eventTypes)[number]

/**
 * Why a webhook is paused: on request, because its endpoint failed for too long, or because the endpoint answered that
 * it is gone.
 */
export const pauseReasons = ['requested', 'failing', 'gone'] as const
export type PauseReason = (typeof pauseReasons)[number]

export const WebhookRow = Type.Object({
  url: Type.String(),
  /** Types of events that are delivered; a type of a newer server stays in the row. */
  types: Type.Array(Type.String()),
  /** Secret in base64, sealed with the key of the deployment. */
  secret: Type.String(),
  /** Secret before the last rotation, which signs too until its time in milliseconds since 1970. */
  earlier: Nullable(Type.Object({ secret: Type.String(), until: Type.Integer({ minimum: 0 }) })),
  paused: Nullable(Type.Object({ reason: Type.Enum([...pauseReasons]), at: Type.Integer({ minimum: 0 }) })),
  /** Time of the first failure since the last success; null = the last attempt succeeded, or there was none. */
  failingSince: Nullable(Type.Integer({ minimum: 0 })),
  /** Time from which events are not recorded, because too many wait; null = they are recorded. */
  skippingSince: Nullable(Type.Integer({ minimum: 0 })),
  createdBy: Type.String(),
  createdAt: Type.Integer({ minimum: 0 }),
  updatedAt: Type.Integer({ minimum: 0 }),
})
export type WebhookRow = Static<typeof WebhookRow>
