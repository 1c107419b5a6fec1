// Care of webhooks at intervals: gives up what waits too long for a paused one, and stops recording for one with too much
// that waits. Workers do neither, because they leave paused webhooks alone. And it makes the first delivery of a lane due
// that nothing else would: its process ended between the end of the delivery before and its look at the lane.
import type { Clock } from '../../core/ports/clock.js'
import { isGone } from '../refusals/refusal.js'
import { timeOfInternalId } from '../storage/internal-ids.js'
import { transact } from '../storage/transaction.js'
import { type DeliveryName, deliverySlot, endDelivery, isParked, wake, wakeLane } from './lanes.js'
import type { RemovalPorts } from './remove-deliveries.js'
import { givenUp } from './take-delivery.js'
import { webhookLimits } from './webhook-limits.js'

export interface CarePorts extends RemovalPorts {
  readonly clock: Clock
}

export async function tendWebhooks(ports: CarePorts): Promise<void> {
  for await (const { key, row } of ports.tables.webhooks.range([])) {
    const [tenant, webhook] = key
    await unlessGone(tendOne(ports, { tenant, webhook, isPaused: row.paused !== null }))
  }
}

interface Tended {
  readonly tenant: string
  readonly webhook: string
  readonly isPaused: boolean
}

async function tendOne(ports: CarePorts, { tenant, webhook, isPaused }: Tended): Promise<void> {
  const { tables, clock } = ports
  const nowMs = clock.now()
  let waiting = 0
  const old: DeliveryName[] = []
  const firsts: DeliveryName[] = []
  for await (const [, , document, , delivery] of tables.deliveryLanes.keys([tenant, webhook])) {
    waiting += 1
    const name = { tenant, document, webhook, delivery }
    const age = nowMs - timeOfInternalId(delivery.slice(delivery.indexOf('_') + 1))
    if (isPaused && age >= webhookLimits.giveUpMs) old.push(name)
    if (firsts.at(-1)?.document !== document) firsts.push(name)
  }
  for (const name of old) await unlessGone(giveUp(ports, name, nowMs))
  await wakeParked(ports, firsts)
  await setSkipping(ports, { tenant, webhook, isFull: waiting - old.length > webhookLimits.waitingMax })
}

async function wakeParked(ports: CarePorts, names: readonly DeliveryName[]): Promise<void> {
  const { tables } = ports
  for (let at = 0; at < names.length; at += webhookLimits.rowsAtOnce) {
    const some = names.slice(at, at + webhookLimits.rowsAtOnce)
    const rows = await tables.getMany(some.map((name) => deliverySlot(tables, name)))
    for (const [index, name] of some.entries()) {
      const row = rows[index]
      if (row !== undefined && isParked(row)) await wake(ports, name)
    }
  }
}

async function giveUp(ports: CarePorts, name: DeliveryName, nowMs: number): Promise<void> {
  const { tables } = ports
  await transact(ports, async (transaction) => {
    const row = await transaction.read(deliverySlot(tables, name))
    if (row?.state === 'waiting') await endDelivery(transaction, tables, { name, row, end: givenUp(nowMs, row.last) })
  })
  await wakeLane(ports, name)
}

async function setSkipping(
  ports: CarePorts,
  { tenant, webhook, isFull }: { readonly tenant: string; readonly webhook: string; readonly isFull: boolean },
): Promise<void> {
  const slot = ports.tables.webhooks.at([tenant, webhook])
  await transact(ports, async (transaction) => {
    const row = await transaction.read(slot)
    if (row === undefined || (row.skippingSince !== null) === isFull) return
    transaction.put(slot, { ...row, skippingSince: isFull ? ports.clock.now() : null })
  })
}

async function unlessGone(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isGone(error)) throw error
  }
}
