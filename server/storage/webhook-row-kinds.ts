// Row kinds of webhooks: their settings, one delivery for each event and webhook, and the indexes by which deliveries are
// found. Deliveries belong to their document, so that they are removed with it.
import { Mark } from '../rows/pointers.js'
import { WebhookRow } from '../rows/webhook.js'
import { WebhookDeliveryRow } from '../rows/webhook-delivery.js'
import { expiry } from './expiries.js'
import { ofDocument, ofTenant } from './owned-rows.js'
import { refersTo, rowKind } from './row-kind.js'

const ofWebhook = [...ofTenant, ['webhook', 'text']] as const

/** Webhooks of a tenant. Ids are ordered by time, so reading backwards yields the newest first. */
export const webhooks = rowKind({ name: 'webhook', key: ofWebhook, schema: WebhookRow })

/** Waiting deliveries by the time from which a worker may claim them; those that wait for another one are left out. */
export const dueDeliveries = rowKind({
  name: 'due-webhook-delivery',
  key: [...ofWebhook, ['at', 'number'], ['document', 'text'], ['delivery', 'text']],
  schema: Mark,
  leadsTo: ([tenant, webhook, , document, delivery]) => deliveryOf(tenant, document, webhook, delivery),
})

/** Waiting deliveries of a webhook by document, in the order in which they are sent. */
export const deliveryLanes = rowKind({
  name: 'webhook-lane',
  key: [...ofWebhook, ['document', 'text'], ['order', 'number'], ['delivery', 'text']],
  schema: Mark,
  leadsTo: ([tenant, webhook, document, , delivery]) => deliveryOf(tenant, document, webhook, delivery),
})

/** All deliveries of a webhook by age. */
export const deliveryLog = rowKind({
  name: 'webhook-log',
  key: [...ofWebhook, ['delivery', 'text'], ['document', 'text']],
  schema: Mark,
  leadsTo: ([tenant, webhook, delivery, document]) => deliveryOf(tenant, document, webhook, delivery),
})

export const webhookDeliveries = rowKind({
  name: 'webhook-delivery',
  key: [...ofDocument, ['webhook', 'text'], ['delivery', 'text']],
  schema: WebhookDeliveryRow,
  indexes([tenant, document, webhook, delivery], { state, order, dueAt, claim, removedAt }) {
    const at = claim?.expiresAt ?? dueAt
    return [
      deliveryLog.entry([tenant, webhook, delivery, document], {}),
      ...(state === 'waiting' ? [deliveryLanes.entry([tenant, webhook, document, order, delivery], {})] : []),
      ...(state === 'waiting' && at !== null
        ? [dueDeliveries.entry([tenant, webhook, at, document, delivery], {})]
        : []),
      ...(removedAt === null ? [] : [expiry(removedAt, 'webhook-delivery', tenant, document, webhook, delivery)]),
    ]
  },
})

const deliveryOf = (tenant: string, document: string, webhook: string, delivery: string) =>
  refersTo('webhook-delivery', tenant, document, webhook, delivery)

export const webhookRowKinds = { webhooks, webhookDeliveries, dueDeliveries, deliveryLanes, deliveryLog } as const
