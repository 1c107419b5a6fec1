// The log of deliveries of a webhook: lists them, newest first, and delivers one again.
import type { Static } from 'typebox'
import { type PageQuery, pageOf } from '../http/paging.js'
import type { TenantContext } from '../operation/operation.js'
import { newDelivery, newDeliveryId } from '../outbox/record-event.js'
import { webhookTopic } from '../outbox/webhook-topic.js'
import { notFound, Refusal } from '../refusals/refusal.js'
import type { WebhookDeliveryRow } from '../rows/webhook-delivery.js'
import type { WebhookDelivery } from '../schemas/webhook.js'
import { transact } from '../storage/transaction.js'
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

/**
 * Delivers an event again: as a new delivery with the same event id, after what waits for the same document. Throws
 * `Conflict` for a delivery that is not over, and `NotFound`.
 */
export async function redeliver(
  { webhookId: webhook, deliveryId }: { readonly webhookId: string; readonly deliveryId: string },
  context: TenantContext,
) {
  const { deployment, tenant } = context
  const { tables, clock, bus } = deployment
  await findWebhook(webhook, context)
  const document = await documentOf(deliveryId, webhook, context)
  const place = [tenant.internal, document, webhook] as const
  const answer = await transact(deployment, async (transaction) => {
    const earlier = await transaction.read(tables.webhookDeliveries.at([...place, deliveryId]))
    const ofDocument = await transaction.read(tables.documents.at([tenant.internal, document]))
    if (earlier === undefined || ofDocument === undefined) throw notFound('delivery')
    if (earlier.state === 'waiting')
      throw new Refusal('Conflict', 'This delivery is not over: it is tried again anyway')
    const nowMs = clock.now()
    const id = newDeliveryId(nowMs)
    const row = newDelivery(earlier.event, { order: ofDocument.auditId, nowMs })
    transaction.put(tables.webhookDeliveries.at([...place, id]), row)
    return { delivery: describeDelivery(id, row) }
  })
  bus.publish(webhookTopic)
  return answer
}

async function documentOf(delivery: string, webhook: string, { deployment, tenant }: TenantContext): Promise<string> {
  for await (const [, , , document] of deployment.tables.deliveryLog.keys([tenant.internal, webhook, delivery])) {
    return document
  }
  throw notFound('delivery')
}

function describeDelivery(id: string, row: WebhookDeliveryRow): Static<typeof WebhookDelivery> {
  const { event, state, attempts, dueAt, last, createdAt } = row
  const { id: eventId, type, docId } = event
  return { id, eventId, type, docId, state, attempts, nextAttemptAt: dueAt, last, createdAt }
}
