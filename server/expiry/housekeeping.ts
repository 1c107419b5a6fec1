// Background work of a running server: continues deletions and erasures, expires rows, collects orphaned blobs. Of several
// processes one at a time does each kind.
import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../core/ports/clock.js'
import { Deletions } from '../deletion/deletions.js'
import { limits } from '../limits.js'
import { tendWebhooks } from '../outbox/tend-webhooks.js'
import { webhookLimits } from '../outbox/webhook-limits.js'
import type { OwnsStorage } from '../settings/claimed-storage.js'
import type { Storage } from '../storage/open-storage.js'
import { Withholdings } from '../withholding/withholdings.js'
import { expireDue } from './expire.js'
import { removeOldRefusals } from './old-refusals.js'
import { Orphans } from './orphans.js'

export interface HousekeepingOptions {
  readonly storage: Storage
  readonly clock: Clock
  /** Files of another deployment must not be removed. Default: there is none. */
  readonly ownsStorage?: OwnsStorage
  /**
   * Called after a failure that will be retried. `what`: `sweep`, `withhold`, `expire`, `orphans`, `refusals`, `webhooks` or
   * `resume`.
   */
  readonly onFailure: (error: unknown, what: string) => void
}

export class Housekeeping {
  readonly deletions: Deletions
  readonly withholdings: Withholdings
  private readonly orphans: Orphans
  private readonly stopping = new AbortController()
  private hasNoOldRefusals = false
  private rounds: readonly Promise<void>[] = []

  constructor(private readonly options: HousekeepingOptions) {
    const { storage, clock, onFailure } = options
    this.deletions = new Deletions({ storage, clock, onFailure: (error) => onFailure(error, 'sweep') })
    this.withholdings = new Withholdings({ storage, onFailure: (error) => onFailure(error, 'withhold') })
    this.orphans = new Orphans(storage, clock)
  }

  /** Resumes what an earlier process left unfinished; does not wait for its completion. */
  async start(): Promise<void> {
    await this.resume()
    const { leases } = this.options.storage
    const alone = (what: string, work: () => Promise<unknown>) => () => leases.tryHold(`housekeeping:${what}`, work)
    this.rounds = [
      this.every(
        limits.expiryIntervalMs,
        'expire',
        alone('expire', () => this.expire()),
      ),
      this.every(
        limits.orphanIntervalMs,
        'orphans',
        alone('orphans', () => this.collectOrphans()),
      ),
      this.every(
        limits.orphanIntervalMs,
        'refusals',
        alone('refusals', () => this.removeOldRefusals()),
      ),
      this.every(
        webhookLimits.careIntervalMs,
        'webhooks',
        alone('webhooks', () => this.tendWebhooks()),
      ),
      this.resumeRounds(),
    ]
  }

  /** Continues deletions and erasures that no process works on; also called periodically. */
  async resume(): Promise<void> {
    await this.deletions.resume()
    await this.withholdings.resume()
  }

  /** Expires what is due now; also called periodically. */
  expire(): Promise<number> {
    const { storage, clock } = this.options
    return expireDue({ storage, deletions: this.deletions }, clock.now())
  }

  /** Tends webhooks now; also called periodically. */
  tendWebhooks(): Promise<void> {
    const { storage, clock } = this.options
    return tendWebhooks({ ...storage, clock })
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all(this.rounds)
    await this.deletions.stop()
    await this.withholdings.stop()
  }

  private async collectOrphans(): Promise<void> {
    const { ownsStorage } = this.options
    if (ownsStorage === undefined || (await ownsStorage())) await this.orphans.collect()
  }

  /** Only earlier releases store them, so that one round of each process is enough. */
  private async removeOldRefusals(): Promise<void> {
    if (!this.hasNoOldRefusals) await removeOldRefusals(this.options.storage)
    this.hasNoOldRefusals = true
  }

  private async resumeRounds(): Promise<void> {
    await this.pause(limits.resumeIntervalMs)
    await this.every(limits.resumeIntervalMs, 'resume', () => this.resume())
  }

  private async every(intervalMs: number, what: string, work: () => Promise<unknown>): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      await work().catch((error: unknown) => this.options.onFailure(error, what))
      await this.pause(intervalMs)
    }
  }

  private async pause(ms: number): Promise<void> {
    const { signal } = this.stopping
    await setTimeout(ms, undefined, { signal, ref: false }).catch(() => {}) // Stopped; the loop checks the signal.
  }
}
