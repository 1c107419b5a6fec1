// Row of a delivery: one event for one webhook, from the commit that caused the event until some days after its end. A
// process that works on it holds a claim; whoever records an attempt expects its own claim in this row.
import { type Static, type TSchema, Type } from 'typebox'

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const Time = Type.Integer({ minimum: 0 })

/** Facts of an event, without content of the document. */
export const EventFacts = Type.Object({
  /** Id of the event, the same for all webhooks and all attempts. */
  id: Type.String(),
  type: Type.String(),
  at: Time,
  /** Public id of the document. */
  docId: Type.String(),
  layerName: Nullable(Type.String()),
  /** Number of the version. */
  version: Nullable(Type.Integer({ minimum: 1 })),
  sha256: Nullable(Type.String()),
  /** Audit id of the change. */
  change: Nullable(Type.Integer({ minimum: 1 })),
  /** Kind of the change in the audit log. */
  kind: Nullable(Type.String()),
  /** Subject of the credential that caused the event. */
  actor: Nullable(Type.String()),
  /** Why the document failed. */
  failureReason: Nullable(Type.String()),
})
export type EventFacts = Static<typeof EventFacts>

/** Why an attempt failed, or why a delivery was given up without a further one. */
export const deliveryErrors = [
  'address-not-allowed',
  'connection-failed',
  'tls-failed',
  'timeout',
  'redirect',
  'status',
  'gone',
  'secret-unreadable',
  'expired',
  'interrupted',
] as const
export type DeliveryError = (typeof deliveryErrors)[number]

export const AttemptFacts = Type.Object({
  at: Time,
  durationMs: Time,
  statusCode: Nullable(Type.Integer()),
  /** Null = success. */
  error: Nullable(Type.Enum([...deliveryErrors])),
})
export type AttemptFacts = Static<typeof AttemptFacts>

export const deliveryStates = ['waiting', 'delivered', 'given-up'] as const

export const WebhookDeliveryRow = Type.Object({
  event: EventFacts,
  /** Position among the deliveries of the document: the number of audit rows before the event. */
  order: Type.Integer({ minimum: 0 }),
  state: Type.Enum([...deliveryStates]),
  /** Number of attempts that were started. */
  attempts: Type.Integer({ minimum: 0 }),
  /** Next attempt; null = after the end of an earlier delivery of the document, or the delivery is over. */
  dueAt: Nullable(Time),
  /** Attempt in progress; it counts as abandoned after `expiresAt`. */
  claim: Nullable(Type.Object({ token: Type.String(), expiresAt: Time })),
  last: Nullable(AttemptFacts),
  createdAt: Time,
  /** Time of removal of a delivery that is over. */
  removedAt: Nullable(Time),
})
export type WebhookDeliveryRow = Static<typeof WebhookDeliveryRow>
