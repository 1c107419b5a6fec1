// Records an event for the webhooks of its tenant, in the commit that causes the event: an event that was answered with
// success is delivered even if the process ends right after.
import type { EventType } from '../rows/webhook.js'
import type { EventFacts, WebhookDeliveryRow } from '../rows/webhook-delivery.js'
import { newInternalId } from '../storage/internal-ids.js'
import type { Tables } from '../storage/tables.js'
import type { Transaction } from '../storage/transaction.js'

export interface DocumentEvent
  extends Pick<EventFacts, 'at' | 'docId'>,
    Partial<Omit<EventFacts, 'id' | 'type' | 'at' | 'docId'>> {
  readonly type: EventType
  /** Internal ids. */
  readonly tenant: string
  readonly document: string
  /** Audit id of the document after the event. */
  readonly order: number
}

/** Records the event. Returns whether a webhook waits for it; then `webhookTopic` is to be published after the commit. */
export async function recordEvent(transaction: Transaction, tables: Tables, event: DocumentEvent): Promise<boolean> {
  const { tenant, document, order, ...facts } = event
  const { at, type } = facts
  const recorded: EventFacts = { ...noFacts, ...facts, id: `evt_${newInternalId(at)}` }
  let isAwaited = false
  for await (const { key, row } of tables.webhooks.range([tenant])) {
    const [, webhook] = key
    if (!row.types.includes(type) || row.skippingSince !== null || row.paused?.reason === 'gone') continue
    transaction.put(
      tables.webhookDeliveries.at([tenant, document, webhook, newDeliveryId(at)]),
      newDelivery(recorded, { order, nowMs: at }),
    )
    isAwaited = true
  }
  return isAwaited
}

/** Members of an event that has no such facts. */
export const noFacts = {
  layerName: null,
  version: null,
  sha256: null,
  change: null,
  kind: null,
  actor: null,
  failureReason: null,
} as const

/** Ids of deliveries are ordered by time. */
export const newDeliveryId = (nowMs: number): string => `dlv_${newInternalId(nowMs)}`

/** Returns the row of a delivery that is due now. */
export const newDelivery = (
  event: EventFacts,
  { order, nowMs }: { readonly order: number; readonly nowMs: number },
): WebhookDeliveryRow => ({
  event,
  order,
  state: 'waiting',
  attempts: 0,
  dueAt: nowMs,
  claim: null,
  last: null,
  createdAt: nowMs,
  removedAt: null,
})
