// Ends all claims on deliveries, because the processes that held them have ended.
import { isGone } from '../refusals/refusal.js'
import { transact } from '../storage/transaction.js'
import { type DeliveryName, deliverySlot } from './lanes.js'
import type { OutboxPorts } from './take-delivery.js'

export async function endDeliveryClaims(ports: OutboxPorts): Promise<void> {
  const { tables } = ports
  for await (const {
    key: [tenant, webhook],
  } of tables.webhooks.range([])) {
    // The clock may have gone back, so a claim may be found under any time.
    for await (const [, , , document, delivery] of tables.dueDeliveries.keys([tenant, webhook])) {
      const row = await tables.webhookDeliveries.get([tenant, document, webhook, delivery])
      if (row?.claim) await endClaim(ports, { tenant, document, webhook, delivery })
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
