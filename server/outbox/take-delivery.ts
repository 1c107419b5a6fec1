// Claim of a worker on a delivery: a random token in its row, with an expiry that is longer than an attempt may take.
import type { Clock } from '../../core/ports/clock.js'
import type { Random } from '../../core/ports/random.js'
import { isDue } from '../concurrency/due-times.js'
import type { WebhookRow } from '../rows/webhook.js'
import type { AttemptFacts, WebhookDeliveryRow } from '../rows/webhook-delivery.js'
import type { Leases } from '../storage/leases.js'
import type { Store } from '../storage/store.js'
import type { Tables } from '../storage/tables.js'
import { transact } from '../storage/transaction.js'
import { type DeliveryName, deliverySlot, endDelivery, parkBehind, wakeLane } from './lanes.js'
import { webhookLimits } from './webhook-limits.js'

export interface OutboxPorts {
  readonly store: Store
  readonly tables: Tables
  readonly leases: Leases
  readonly clock: Clock
  readonly random: Random
}

export interface TakenDelivery {
  readonly name: DeliveryName
  readonly token: string
  readonly row: WebhookDeliveryRow
  readonly webhook: WebhookRow
  /** Public id of the tenant. */
  readonly tenantId: string
}

/** Outcome without a claim. `idle`: nothing was changed, and the delivery is not to be looked for again at once. */
export type NotTaken = 'idle' | 'settled'

/** Claims a delivery that is due and the first of its lane. */
export async function takeDelivery(
  ports: OutboxPorts,
  name: DeliveryName,
  claimMs: number,
): Promise<TakenDelivery | NotTaken> {
  const taken = await claimFirst(ports, name, claimMs)
  if (taken !== 'ended') return taken
  await wakeLane(ports, name)
  return 'settled'
}

function claimFirst(
  ports: OutboxPorts,
  name: DeliveryName,
  claimMs: number,
): Promise<TakenDelivery | NotTaken | 'ended'> {
  const { tables, clock, random } = ports
  const { tenant, document } = name
  const token = random.uuid()
  return transact(ports, async (transaction): Promise<TakenDelivery | NotTaken | 'ended'> => {
    const slot = deliverySlot(tables, name)
    const row = await transaction.read(slot)
    const nowMs = clock.now()
    if (row?.state !== 'waiting' || !isAttemptDue(row, { nowMs, claimMs })) return 'idle'
    const webhook = await transaction.read(tables.webhooks.at([tenant, name.webhook]))
    const owner = await transaction.read(tables.tenants.at([tenant]))
    const ofDocument = await transaction.read(tables.documents.at([tenant, document]))
    if (owner?.status !== 'active' || !ofDocument || ofDocument.state === 'deleting') return 'idle'
    if (webhook === undefined) {
      // The webhook was deleted while the event was recorded.
      transaction.remove(slot)
      return 'settled'
    }
    if (webhook.paused !== null) return 'idle'
    const place = await parkBehind(transaction, tables, { name, row })
    if (place !== 'first') return 'settled'
    if (nowMs - row.createdAt >= webhookLimits.giveUpMs) {
      await endDelivery(transaction, tables, { name, row, end: givenUp(nowMs, row.last) })
      return 'ended'
    }
    const claimed = { ...row, attempts: row.attempts + 1, claim: { token, expiresAt: nowMs + claimMs } }
    transaction.put(slot, claimed)
    return { name, token, row: claimed, webhook, tenantId: owner.id }
  })
}

function isAttemptDue(
  { claim, dueAt }: WebhookDeliveryRow,
  { nowMs, claimMs }: { readonly nowMs: number; readonly claimMs: number },
): boolean {
  if (claim !== null) return isDue(claim.expiresAt, nowMs, claimMs)
  return dueAt !== null && isDue(dueAt, nowMs, webhookLimits.retryMaxMs)
}

/** Returns the end of a delivery that is too old for another attempt; the last attempt, if any, stays in the log. */
export function givenUp(nowMs: number, last: AttemptFacts | null) {
  const expired: AttemptFacts = { at: nowMs, durationMs: 0, statusCode: null, error: 'expired' }
  return { state: 'given-up', nowMs, last: last ?? expired } as const
}

export type Settlement = 'delivered' | 'retried' | 'given-up' | 'superseded'

/**
 * Records an attempt, and schedules the next one after a failure. Returns `superseded` if the claim was lost: another
 * worker continues.
 */
export async function settleDelivery(
  ports: OutboxPorts,
  taken: Pick<TakenDelivery, 'name' | 'token'>,
  last: AttemptFacts,
): Promise<Settlement> {
  const settled = await recordAttempt(ports, taken, last)
  if (settled === 'delivered' || settled === 'given-up') await wakeLane(ports, taken.name)
  return settled
}

function recordAttempt(
  ports: OutboxPorts,
  { name, token }: Pick<TakenDelivery, 'name' | 'token'>,
  last: AttemptFacts,
): Promise<Settlement> {
  const { tables, clock } = ports
  return transact(ports, async (transaction): Promise<Settlement> => {
    const slot = deliverySlot(tables, name)
    const row = await transaction.read(slot)
    if (row?.claim?.token !== token) return 'superseded'
    const nowMs = clock.now()
    const webhookSlot = tables.webhooks.at([name.tenant, name.webhook])
    const webhook = await transaction.read(webhookSlot)
    if (webhook === undefined) {
      transaction.remove(slot)
      return 'superseded'
    }
    const after = webhookAfter(webhook, last, nowMs)
    if (after !== webhook) transaction.put(webhookSlot, after)
    if (last.error === null) {
      await endDelivery(transaction, tables, { name, row, end: { state: 'delivered', nowMs, last } })
      return 'delivered'
    }
    const dueAt = nowMs + delayAfter(row.attempts, ports.random)
    if (last.error === 'gone' || dueAt - row.createdAt >= webhookLimits.giveUpMs) {
      await endDelivery(transaction, tables, { name, row, end: { state: 'given-up', nowMs, last } })
      return 'given-up'
    }
    transaction.put(slot, { ...row, claim: null, dueAt, last })
    return 'retried'
  })
}

/** Gives an interrupted attempt back: it does not count, and the next one may start at once. */
export async function releaseDelivery(
  ports: OutboxPorts,
  { name, token }: Pick<TakenDelivery, 'name' | 'token'>,
): Promise<void> {
  await transact(ports, async (transaction) => {
    const slot = deliverySlot(ports.tables, name)
    const row = await transaction.read(slot)
    if (row?.claim?.token !== token) return
    transaction.put(slot, { ...row, attempts: row.attempts - 1, claim: null, dueAt: ports.clock.now() })
  })
}

/** Returns the same row if the attempt changes nothing about the webhook. */
function webhookAfter(webhook: WebhookRow, { error }: AttemptFacts, nowMs: number): WebhookRow {
  if (error === null) return webhook.failingSince === null ? webhook : { ...webhook, failingSince: null }
  const failingSince = webhook.failingSince ?? nowMs
  const isTooLong = nowMs - failingSince >= webhookLimits.giveUpMs
  if (webhook.paused === null && (error === 'gone' || isTooLong)) {
    const paused = { reason: error === 'gone' ? 'gone' : 'failing', at: nowMs } as const
    return { ...webhook, failingSince, paused, updatedAt: nowMs }
  }
  return webhook.failingSince === null ? { ...webhook, failingSince } : webhook
}

/** Grows by a factor of three, and is spread over its second half, so that many deliveries do not return at once. */
function delayAfter(attempts: number, random: Random): number {
  const { retryMinMs, retryMaxMs } = webhookLimits
  const delayMs = Math.min(retryMinMs * 3 ** (attempts - 1), retryMaxMs)
  return Math.round(delayMs * (0.5 + random.fraction() / 2))
}
