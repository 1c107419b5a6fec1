// The log of deliveries of a webhook: lists them, newest first.
import type { Static } from 'typebox'
import { type PageQuery, pageOf } from '../http/paging.js'
import type { TenantContext } from '../operation/operation.js'
import type { WebhookDeliveryRow } from '../rows/webhook-delivery.js'
import type { WebhookDelivery } from '../schemas/webhook.js'
import { findWebhook } from './find-webhook.js'

const separator = '/'

export async function listDeliveries(webhook: string, query: PageQuery, context: TenantContext) {
  const { deployment, tenant } = context
  const { tables } = deployment
  await findWebhook(webhook, context)
  async function* from(cursor: string | undefined) {
    const [delivery, document] = cursor?.split(separator) ?? []
    const after =
      delivery === undefined || document === undefined
        ? {}
        : { after: [tenant.internal, webhook, delivery, document] as const }
    const entries = tables.deliveryLog.range([tenant.internal, webhook], { isReversed: true, ...after })
    for await (const { key } of entries) {
      const [, , id, of] = key
      const [row, document] = await tables.getMany([
        tables.webhookDeliveries.at([tenant.internal, of, webhook, id]),
        tables.documents.at([tenant.internal, of]),
      ])
      // Those of a document that is being deleted are removed with it.
      if (row && document && document.state !== 'deleting') yield { id, of, row }
    }
  }
  const { items, nextCursor } = await pageOf(query, { from, cursorOf: ({ id, of }) => `${id}${separator}${of}` })
  return { deliveries: items.map(({ id, row }) => describeDelivery(id, row)), nextCursor }
}

export function describeDelivery(id: string, row: WebhookDeliveryRow): Static<typeof WebhookDelivery> {
  const { event, state, attempts, dueAt, last, createdAt } = row
  const { id: eventId, type, docId } = event
  return { id, eventId, type, docId, state, attempts, nextAttemptAt: dueAt, last, createdAt }
}
