// Ends all claims on deliveries, because the processes that held them have ended.
import { isGone } from '../refusals/refusal.js'
import { transact } from '../storage/transaction.js'
import { type DeliveryName, deliverySlot } from './lanes.js'
import type { OutboxPorts } from './take-delivery.js'
import { webhookLimits } from './webhook-limits.js'

export async function endDeliveryClaims(ports: OutboxPorts): Promise<void> {
  const { tables, clock } = ports
  for await (const {
    key: [tenant, webhook],
  } of tables.webhooks.range([])) {
    // A claim ends within its duration, and is found under its end.
    const through = [tenant, webhook, clock.now() + webhookLimits.claimMs] as const
    for await (const { key } of tables.dueDeliveries.range([tenant, webhook], { through })) {
      const [, , , document, delivery] = key
      await endClaim(ports, { tenant, document, webhook, delivery })
    }
  }
}

async function endClaim(ports: OutboxPorts, name: DeliveryName): Promise<void> {
  const slot = deliverySlot(ports.tables, name)
  try {
    await transact(ports, async (transaction) => {
      const row = await transaction.read(slot)
      if (row?.claim) transaction.put(slot, { ...row, claim: null, dueAt: ports.clock.now() })
    })
  } catch (error) {
    // The document is being deleted.
    if (!isGone(error)) throw error
  }
}
