// Order of deliveries: those of one document to one webhook form a lane, in which each waits for the end of the one
// before. A delivery that is due behind another one is parked, without a time; the end of the other gives it one. What a
// commit expects are rows and no ranges, so an end does not see what enters its lane before its commit: whoever ends a
// delivery looks at the lane once more afterwards (`wakeLane`).
import type { Clock } from '../../core/ports/clock.js'
import { isGone } from '../refusals/refusal.js'
import type { WebhookDeliveryRow } from '../rows/webhook-delivery.js'
import type { Tables } from '../storage/tables.js'
import { type Transaction, type TransactionPorts, transact } from '../storage/transaction.js'
import { webhookLimits } from './webhook-limits.js'

/** Names a delivery by internal ids. */
export interface DeliveryName {
  readonly tenant: string
  readonly document: string
  readonly webhook: string
  readonly delivery: string
}

export const deliverySlot = (tables: Tables, { tenant, document, webhook, delivery }: DeliveryName) =>
  tables.webhookDeliveries.at([tenant, document, webhook, delivery])

/**
 * Parks the delivery if another one of its lane comes before it: the commit expects that the other one still waits, so
 * that its end finds the parked one. `overtaken`: the other one ended meanwhile, so that the place is not known.
 */
export async function parkBehind(
  transaction: Transaction,
  tables: Tables,
  { name, row }: { readonly name: DeliveryName; readonly row: WebhookDeliveryRow },
): Promise<'first' | 'parked' | 'overtaken'> {
  const [first] = await firstOfLane(tables, name, 1)
  if (first === undefined || first === name.delivery) return 'first'
  const ahead = await transaction.read(deliverySlot(tables, { ...name, delivery: first }))
  if (ahead?.state !== 'waiting') return 'overtaken'
  transaction.put(deliverySlot(tables, name), { ...row, dueAt: null, claim: null })
  return 'parked'
}

export interface End {
  readonly state: 'delivered' | 'given-up'
  readonly nowMs: number
  readonly last: WebhookDeliveryRow['last']
}

/**
 * Ends the delivery, whose row was read by the transaction, and makes the next one of its lane due. `wakeLane` is to be
 * called after the commit.
 */
export async function endDelivery(
  transaction: Transaction,
  tables: Tables,
  { name, row, end }: { readonly name: DeliveryName; readonly row: WebhookDeliveryRow; readonly end: End },
): Promise<void> {
  const { state, nowMs, last } = end
  const removedAt = nowMs + webhookLimits.logRetentionMs
  transaction.put(deliverySlot(tables, name), { ...row, state, last, claim: null, dueAt: null, removedAt })
  const next = (await firstOfLane(tables, name, 2)).find((delivery) => delivery !== name.delivery)
  if (next === undefined) return
  const slot = deliverySlot(tables, { ...name, delivery: next })
  const parked = await transaction.read(slot)
  if (parked !== undefined && isParked(parked)) transaction.put(slot, { ...parked, dueAt: nowMs })
}

/** True for a delivery that waits without a time: nothing but the end of an earlier one makes it due. */
export const isParked = ({ state, dueAt, claim }: WebhookDeliveryRow): boolean =>
  state === 'waiting' && dueAt === null && claim === null

export interface LanePorts extends TransactionPorts {
  readonly tables: Tables
  readonly clock: Clock
}

/** Makes the first delivery of the lane due if it is parked: one that entered while an earlier one ended. */
export async function wakeLane(ports: LanePorts, lane: DeliveryName): Promise<void> {
  const [first] = await firstOfLane(ports.tables, lane, 1)
  if (first === undefined) return
  const name = { ...lane, delivery: first }
  const row = await ports.tables.webhookDeliveries.get([name.tenant, name.document, name.webhook, name.delivery])
  if (row !== undefined && isParked(row)) await wake(ports, name)
}

/** Makes the delivery due if it is parked. One that is not the first of its lane is parked again when it is taken. */
export async function wake(ports: LanePorts, name: DeliveryName): Promise<void> {
  try {
    await transact(ports, async (transaction) => {
      const slot = deliverySlot(ports.tables, name)
      const row = await transaction.read(slot)
      if (row !== undefined && isParked(row)) transaction.put(slot, { ...row, dueAt: ports.clock.now() })
    })
  } catch (error) {
    // The document is being deleted, and the delivery with it.
    if (!isGone(error)) throw error
  }
}

async function firstOfLane(
  tables: Tables,
  { tenant, webhook, document }: DeliveryName,
  limit: number,
): Promise<readonly string[]> {
  const deliveries: string[] = []
  for await (const { key } of tables.deliveryLanes.range([tenant, webhook, document], { limit }))
    deliveries.push(key[4])
  return deliveries
}
