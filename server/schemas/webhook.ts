// Wire schemas of webhooks, of their deliveries, and of the events that are sent.
import { Type } from 'typebox'
import { strict } from '../../workers/contract/strict.js'
import { webhookLimits } from '../outbox/webhook-limits.js'
import { eventTypes, pauseReasons } from '../rows/webhook.js'
import { deliveryErrors, deliveryStates } from '../rows/webhook-delivery.js'
import { DocId, LayerName, Nullable, Sha256, TenantId } from './ids.js'

/** Type of the event that an endpoint is tried with. */
export const pingType = 'webhook.ping'

export const WebhookId = Type.String({ pattern: '^whk_[0-9a-z]{28}$', examples: ['whk_0mi1b4xk2a3f09c77d1e2b45f6a7'] })
export const DeliveryId = Type.String({ pattern: '^dlv_[0-9a-z]{28}$', examples: ['dlv_0mi1b4xk2a3f09c77d1e2b45f6a7'] })
export const WebhookPath = Type.Object({ tenantId: TenantId, webhookId: WebhookId })
export const DeliveryPath = Type.Object({ tenantId: TenantId, webhookId: WebhookId, deliveryId: DeliveryId })

const Url = Type.String({ minLength: 1, maxLength: webhookLimits.urlCharactersMax })
const Types = Type.Array(Type.Enum([...eventTypes]), { minItems: 1, maxItems: eventTypes.length })
const Time = Type.Integer({ minimum: 0 })

export const Webhook = Type.Object({
  id: WebhookId,
  url: Type.String(),
  types: Type.Array(Type.String()),
  status: Type.Enum(['active', 'paused']),
  pauseReason: Nullable(Type.Enum([...pauseReasons])),
  failingSince: Nullable(Time),
  skippingSince: Nullable(Time),
  earlierSecretUntil: Nullable(Time),
  createdBy: Type.String(),
  createdAt: Time,
  updatedAt: Time,
})

export const WebhookAnswer = Type.Object({ webhook: Webhook })
export const WebhookWithSecret = Type.Object({ webhook: Webhook, secret: Type.String() })
export const WebhookList = Type.Object({ webhooks: Type.Array(Webhook) })

export const WebhookCreate = Type.Object({ url: Url, types: Types }, strict)
export const WebhookUpdate = Type.Object({ url: Type.Optional(Url), types: Type.Optional(Types) }, strict)
export const WebhookRotate = Type.Object(
  { overlapSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: webhookLimits.overlapSecondsMax })) },
  strict,
)

export const WebhookAttempt = Type.Object({
  at: Time,
  durationMs: Time,
  statusCode: Nullable(Type.Integer()),
  error: Nullable(Type.Enum([...deliveryErrors])),
})

export const WebhookDelivery = Type.Object({
  id: DeliveryId,
  eventId: Type.String(),
  type: Type.String(),
  docId: DocId,
  state: Type.Enum([...deliveryStates]),
  attempts: Type.Integer({ minimum: 0 }),
  nextAttemptAt: Nullable(Time),
  last: Nullable(WebhookAttempt),
  createdAt: Time,
})

export const WebhookDeliveryAnswer = Type.Object({ delivery: WebhookDelivery })
export const WebhookDeliveryList = Type.Object({
  deliveries: Type.Array(WebhookDelivery),
  nextCursor: Nullable(Type.String()),
})
export const WebhookPing = Type.Object({ eventId: Type.String(), attempt: WebhookAttempt })

/** Body of a delivery. */
export const WebhookEvent = Type.Object({
  id: Type.String(),
  type: Type.Enum([...eventTypes, pingType]),
  timestamp: Type.String({ format: 'date-time' }),
  data: Type.Object({
    tenantId: TenantId,
    docId: Nullable(DocId),
    layerName: Nullable(LayerName),
    version: Nullable(Type.Integer({ minimum: 1 })),
    sha256: Nullable(Sha256),
    change: Nullable(Type.Integer({ minimum: 1 })),
    kind: Nullable(Type.String()),
    actor: Nullable(Type.String()),
    failureReason: Nullable(Type.String()),
  }),
})
