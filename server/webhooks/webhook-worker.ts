// Sends deliveries in the background, in every process: finds due ones tenant by tenant and webhook by webhook, so that
// an endpoint that is slow or fails does not delay others, and sends a bounded number at once.
import { BackgroundRounds } from '../concurrency/background-rounds.js'
import { furthestDue, inSuccession } from '../concurrency/due-times.js'
import { FairPlaces } from '../concurrency/fair-places.js'
import { tenantAccountOf } from '../operation/account.js'
import type { Deployment } from '../operation/deployment.js'
import { endDeliveryClaims } from '../outbox/end-claims.js'
import type { DeliveryName } from '../outbox/lanes.js'
import { removeDeliveries, trimLog } from '../outbox/remove-deliveries.js'
import { webhookLimits } from '../outbox/webhook-limits.js'
import { webhookTopic } from '../outbox/webhook-topic.js'
import type { KeyRange } from '../storage/keys.js'
import type { Measurement } from '../storage/measurement.js'
import { dueDeliveries } from '../storage/webhook-row-kinds.js'
import { type AttemptPorts, runDelivery } from './run-delivery.js'
import type { WebhookName } from './signature.js'

export interface WebhookWorkerOptions {
  /** True if no other process uses the store, so that claims at the start are those of an ended process. */
  readonly isAlone: boolean
  readonly network: AttemptPorts['network']
  readonly pollMs: number
}

export class WebhookWorker {
  private readonly places = new FairPlaces(webhookLimits.atOnceMax)
  private readonly rounds: BackgroundRounds
  /** Attempts of this process, by delivery. */
  private readonly running = new Map<string, Promise<void>>()
  /** Number of attempts by webhook. */
  private readonly busy = new Map<string, number>()
  /** Number of attempts by webhook since its log was cleaned. */
  private readonly ended = new Map<string, number>()
  readonly measurements: readonly Measurement[] = [
    {
      name: 'webhook_deliveries_running',
      help: 'Webhook deliveries that a process sends',
      read: () => this.running.size,
    },
  ]
  private unsubscribe = () => {}
  /** Tenant that was served last; the next round begins after it. */
  private lastTenant = ''

  constructor(
    private readonly deployment: Deployment,
    private readonly options: WebhookWorkerOptions,
  ) {
    this.rounds = new BackgroundRounds({
      round: () => this.startDue(),
      onError: (error) =>
        deployment.log.error({ err: error }, 'due webhook deliveries could not be read and are searched again'),
      pauseMs: options.pollMs,
    })
  }

  async start(): Promise<void> {
    if (this.options.isAlone) await endDeliveryClaims(this.deployment)
    this.unsubscribe = this.deployment.bus.subscribe(webhookTopic, () => this.rounds.wake())
    this.rounds.start()
  }

  /** Interrupts running attempts, which are repeated after the next start or in another process. */
  async stop(): Promise<void> {
    this.unsubscribe()
    await this.rounds.stop()
    await Promise.all(this.running.values())
  }

  /** Starts due deliveries, as far as there are places: one round over all tenants, from the one after the last. */
  private async startDue(): Promise<void> {
    const first = this.lastTenant
    for (const { from, to } of [
      { from: dueDeliveries.prefix([first]).to, to: dueDeliveries.all.to },
      { from: dueDeliveries.all.from, to: dueDeliveries.prefix([first]).to },
    ]) {
      let next = from
      while (this.places.count < webhookLimits.atOnceMax && !this.rounds.signal.aborted) {
        const webhook = await this.nextWebhook({ from: next, to })
        if (webhook === undefined) break
        if (await this.startDueOf(webhook)) this.lastTenant = webhook.tenant
        next = dueDeliveries.prefix([webhook.tenant, webhook.webhook]).to
      }
    }
  }

  /** Returns the first webhook of the range that has waiting deliveries, due or not. */
  private async nextWebhook(range: KeyRange): Promise<WebhookName | undefined> {
    if (Buffer.compare(range.from, range.to) >= 0) return undefined
    for await (const { key } of this.deployment.store.range({ ...range, limit: 1 })) {
      const [tenant, webhook] = dueDeliveries.parts(key) ?? []
      if (tenant !== undefined && webhook !== undefined) return { tenant, webhook }
    }
    return undefined
  }

  /** Returns whether a delivery was started. */
  private async startDueOf({ tenant, webhook }: WebhookName): Promise<boolean> {
    const { tables, clock } = this.deployment
    const [owner, row] = await tables.getMany([tables.tenants.at([tenant]), tables.webhooks.at([tenant, webhook])])
    if (owner?.status !== 'active') return false
    if (row === undefined) {
      await removeDeliveries(this.deployment, { tenant, webhook })
      return false
    }
    if (row.paused !== null) return false
    let isStarted = false
    const limit = webhookLimits.perWebhookAtOnceMax + this.running.size
    const nowMs = clock.now()
    const through = [tenant, webhook, nowMs] as const
    const after = [tenant, webhook, furthestDue(nowMs, webhookLimits.retryMaxMs), '', ''] as const
    const due = [
      { through, limit },
      { after, limit },
    ].map((part) => tables.dueDeliveries.range([tenant, webhook], part))
    for await (const { key } of inSuccession(due)) {
      const [, , , document, delivery] = key
      if (this.running.has(delivery)) continue
      if ((this.busy.get(webhook) ?? 0) >= webhookLimits.perWebhookAtOnceMax) break
      const leave = this.places.take(tenantAccountOf(tenant))
      if (leave === undefined) break
      this.running.set(delivery, this.attempt({ tenant, document, webhook, delivery }, leave))
      isStarted = true
    }
    return isStarted
  }

  private async attempt(name: DeliveryName, leave: () => void): Promise<void> {
    const { webhook, delivery } = name
    this.count(this.busy, webhook, 1)
    const { signal: stopping } = this.rounds
    let isOver = false
    try {
      isOver = await runDelivery(this.deployment, name, { network: this.options.network, stopping })
      if (isOver) await this.cleanLog(name)
    } catch (error) {
      if (!stopping.aborted) this.deployment.log.error({ err: error }, 'a webhook delivery is tried again')
    } finally {
      leave()
      this.count(this.busy, webhook, -1)
      this.running.delete(delivery)
      // The place may serve another delivery. One that was not due is not searched again at once.
      if (isOver) this.rounds.wake()
    }
  }

  private async cleanLog({ tenant, webhook }: WebhookName): Promise<void> {
    this.count(this.ended, webhook, 1)
    if ((this.ended.get(webhook) ?? 0) < webhookLimits.loggedBetweenCleanings) return
    this.ended.delete(webhook)
    await trimLog(this.deployment, { tenant, webhook })
  }

  private count(counts: Map<string, number>, webhook: string, change: 1 | -1): void {
    const count = (counts.get(webhook) ?? 0) + change
    if (count === 0) counts.delete(webhook)
    else counts.set(webhook, count)
  }
}
