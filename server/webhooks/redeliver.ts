// Delivers an event again, on request, within the limit of what waits for a webhook.
import type { TenantContext } from '../operation/operation.js'
import { type DeliveryName, deliverySlot } from '../outbox/lanes.js'
import { newDelivery, newDeliveryId } from '../outbox/record-event.js'
import { webhookLimits } from '../outbox/webhook-limits.js'
import { webhookTopic } from '../outbox/webhook-topic.js'
import { notFound, Refusal } from '../refusals/refusal.js'
import type { WebhookRow } from '../rows/webhook.js'
import type { WebhookDeliveryRow } from '../rows/webhook-delivery.js'
import type { Tables } from '../storage/tables.js'
import { type Transaction, transact } from '../storage/transaction.js'
import { describeDelivery } from './deliveries.js'
import { findWebhook, webhookSlot } from './find-webhook.js'

/**
 * Delivers an event again: as a new delivery with the same event id, after what waits for the same document. If one of
 * the event waits already, that one is answered. Throws `Conflict` for a delivery that is not over, for a webhook with too
 * many that wait, and for one whose endpoint is gone; and `NotFound`.
 */
export async function redeliver(
  { webhookId: webhook, deliveryId: delivery }: { readonly webhookId: string; readonly deliveryId: string },
  context: TenantContext,
) {
  const { deployment, tenant } = context
  await findWebhook(webhook, context)
  const document = await documentOf(delivery, webhook, context)
  const name = { tenant: tenant.internal, document, webhook, delivery }
  // One at a time for each webhook, because nothing that a commit expects counts what waits.
  const answer = await deployment.leases.hold(`redelivery:${webhook}`, () =>
    transact(deployment, (transaction) => redeliverIn(transaction, name, context)),
  )
  deployment.bus.publish(webhookTopic)
  return { delivery: describeDelivery(answer.id, answer.row) }
}

interface NamedDelivery {
  readonly id: string
  readonly row: WebhookDeliveryRow
}

async function redeliverIn(
  transaction: Transaction,
  name: DeliveryName,
  context: TenantContext,
): Promise<NamedDelivery> {
  const { tables, clock } = context.deployment
  const webhook = await transaction.read(webhookSlot(context, name.webhook))
  const earlier = await transaction.read(deliverySlot(tables, name))
  const ofDocument = await transaction.read(tables.documents.at([name.tenant, name.document]))
  if (webhook === undefined) throw notFound('webhook')
  if (earlier === undefined || ofDocument === undefined) throw notFound('delivery')
  if (earlier.state === 'waiting') throw new Refusal('Conflict', 'This delivery is not over: it is tried again anyway')
  refuseGone(webhook)
  const waiting = await findWaiting(tables, name, earlier.event.id)
  if (waiting !== undefined) return waiting
  await refuseFull(tables, name)
  const nowMs = clock.now()
  const id = newDeliveryId(nowMs)
  const row = newDelivery(earlier.event, { order: ofDocument.auditId, nowMs })
  transaction.put(deliverySlot(tables, { ...name, delivery: id }), row)
  return { id, row }
}

function refuseGone({ paused }: WebhookRow): void {
  if (paused?.reason !== 'gone') return
  throw new Refusal(
    'Conflict',
    'The endpoint answered that it is gone; resume the webhook before anything is sent again',
  )
}

async function refuseFull(tables: Tables, { tenant, webhook }: DeliveryName): Promise<void> {
  let waiting = 0
  for await (const _ of tables.deliveryLanes.keys([tenant, webhook])) {
    waiting += 1
    if (waiting < webhookLimits.waitingMax) continue
    throw new Refusal('Conflict', `${waiting} deliveries of the webhook wait, which is the most; send it again later`)
  }
}

/** Returns the delivery of the event that waits; undefined if none does. */
async function findWaiting(tables: Tables, name: DeliveryName, eventId: string): Promise<NamedDelivery | undefined> {
  const { tenant, document, webhook } = name
  const ids: string[] = []
  for await (const [, , , , id] of tables.deliveryLanes.keys([tenant, webhook, document])) ids.push(id)
  for (let at = 0; at < ids.length; at += webhookLimits.rowsAtOnce) {
    const some = ids.slice(at, at + webhookLimits.rowsAtOnce)
    const rows = await tables.getMany(some.map((delivery) => deliverySlot(tables, { ...name, delivery })))
    for (const [index, id] of some.entries()) {
      const row = rows[index]
      if (row?.state === 'waiting' && row.event.id === eventId) return { id, row }
    }
  }
  return undefined
}

async function documentOf(delivery: string, webhook: string, { deployment, tenant }: TenantContext): Promise<string> {
  for await (const [, , , document] of deployment.tables.deliveryLog.keys([tenant.internal, webhook, delivery])) {
    return document
  }
  throw notFound('delivery')
}
