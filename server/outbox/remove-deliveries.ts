// Removes deliveries of a webhook: all of them after the webhook, and old ones that are over.
import type { Tables } from '../storage/tables.js'
import { type TransactionPorts, transact } from '../storage/transaction.js'
import { type DeliveryName, deliverySlot } from './lanes.js'
import { webhookLimits } from './webhook-limits.js'

export interface RemovalPorts extends TransactionPorts {
  readonly tables: Tables
}

interface OfWebhook {
  readonly tenant: string
  readonly webhook: string
}

/** Removes every delivery, in steps; the caller removed the webhook before. */
export async function removeDeliveries(ports: RemovalPorts, { tenant, webhook }: OfWebhook): Promise<void> {
  const names: DeliveryName[] = []
  for await (const [, , delivery, document] of ports.tables.deliveryLog.keys([tenant, webhook])) {
    names.push({ tenant, document, webhook, delivery })
    if (names.length === webhookLimits.rowsAtOnce) await remove(ports, names.splice(0))
  }
  await remove(ports, names)
}

/** Removes deliveries that are over, as far as newer ones fill the log. */
export async function trimLog(ports: RemovalPorts, { tenant, webhook }: OfWebhook): Promise<void> {
  const { tables } = ports
  const old: DeliveryName[] = []
  let count = 0
  const limit = webhookLimits.loggedMax + 2 * webhookLimits.loggedBetweenCleanings
  for await (const { key } of tables.deliveryLog.range([tenant, webhook], { isReversed: true, limit })) {
    const [, , delivery, document] = key
    count += 1
    if (count > webhookLimits.loggedMax) old.push({ tenant, document, webhook, delivery })
  }
  for (let at = 0; at < old.length; at += webhookLimits.rowsAtOnce) {
    await remove(ports, old.slice(at, at + webhookLimits.rowsAtOnce), { onlyEnded: true })
  }
}

async function remove(
  ports: RemovalPorts,
  names: readonly DeliveryName[],
  { onlyEnded = false }: { readonly onlyEnded?: boolean } = {},
): Promise<void> {
  await transact(ports, async (transaction) => {
    for (const name of names) {
      const slot = deliverySlot(ports.tables, name)
      const row = await transaction.read(slot)
      if (row && (!onlyEnded || row.state !== 'waiting')) transaction.remove(slot)
    }
  })
}
