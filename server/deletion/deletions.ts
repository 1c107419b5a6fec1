// Deletes tenants and documents, and runs the resulting sweeps: immediately, again after a failure, after a restart, and
// in place of a process that died. Swept data is then erased from the files of the store.
import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../core/ports/clock.js'
import { limits } from '../limits.js'
import type { DocumentRow } from '../rows/document.js'
import type { SweepRow } from '../rows/sweep.js'
import type { Storage } from '../storage/open-storage.js'
import { tenantTopic } from '../storage/tenant-topic.js'
import { Erasure } from './erasure.js'
import { type DocumentKey, markDocumentDeleting, markTenantDeleting } from './mark-deleting.js'
import { type SweepStorage, sweep } from './sweep.js'
import { Traces } from './traces.js'

export interface DeletionsOptions {
  readonly storage: SweepStorage & Pick<Storage, 'bus'>
  readonly clock: Clock
  /** Called after a sweep failed; it will be retried. */
  readonly onFailure: (error: unknown, subject: string) => void
}

export class Deletions {
  /** Running sweeps of this process, by the internal id of the deleted tenant or document. */
  private readonly running = new Map<string, Promise<void>>()
  private readonly stopping = new AbortController()
  private readonly erasure: Erasure

  constructor(private readonly options: DeletionsOptions) {
    this.erasure = new Erasure(options)
  }

  /** Resumes deletions that an earlier process left unfinished, or another one that is gone; called periodically. */
  async resume(): Promise<void> {
    const { tables } = this.options.storage
    for await (const { key, row } of tables.sweeps.range([])) this.takeOver(key[0], row)
  }

  /**
   * Deletes a tenant. Resolves when the tenant is invisible to all readers; `swept` resolves when no row or blob of it
   * is left, and never rejects.
   */
  async deleteTenant(tenant: string): Promise<{ readonly sweepEnded: Promise<void> }> {
    const removed = await markTenantDeleting(this.options, tenant)
    this.notifyReaders(tenant)
    const row = { tenant, document: null, startedAt: this.options.clock.now() }
    return { sweepEnded: this.start(tenant, row, Traces.forNewSweep(row, removed)) }
  }

  async deleteDocument(
    { tenant, document }: DocumentKey,
    isMeant?: (row: DocumentRow) => boolean,
  ): Promise<{ readonly swept: Promise<void> }> {
    const removed = await markDocumentDeleting(this.options, { tenant, document }, isMeant)
    this.notifyReaders(tenant)
    const row = { tenant, document, startedAt: this.options.clock.now() }
    return { swept: this.start(document, row, Traces.forNewSweep(row, removed)) }
  }

  /** Waits for running sweeps and for the erasure of what they removed; failed ones are left to the next start. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all(this.running.values())
    await this.erasure.stop()
  }

  /** Notifies event streams of the tenant, which end at once. */
  private notifyReaders(tenant: string): void {
    this.options.storage.bus.publish(tenantTopic(tenant))
  }

  private start(subject: string, row: SweepRow, traces: Traces): Promise<void> {
    return this.running.get(subject) ?? this.run(subject, this.untilDone(subject, row, traces))
  }

  /** Sweeps what no process is sweeping at this moment. */
  private takeOver(subject: string, row: SweepRow): void {
    if (this.running.has(subject) || this.erasure.has(subject) || this.stopping.signal.aborted) return
    const { storage, onFailure } = this.options
    const once = async () => {
      await storage.leases.tryHold(leaseOf(subject), () => this.sweepOnce(subject, row, Traces.forResumedSweep(row)))
    }
    void this.run(
      subject,
      once().catch((error: unknown) => onFailure(error, subject)),
    )
  }

  private run(subject: string, sweeping: Promise<void>): Promise<void> {
    const work = sweeping.finally(() => this.running.delete(subject))
    this.running.set(subject, work)
    return work
  }

  /** Runs under the lease of the subject, so that processes do not repeat each other's work. */
  private async sweepOnce(subject: string, row: SweepRow, traces: Traces): Promise<void> {
    const { storage } = this.options
    if ((await storage.tables.sweeps.get([subject])) === undefined) return
    await sweep(storage, row, traces)
    this.erasure.add(subject, traces)
  }

  private async untilDone(subject: string, row: SweepRow, traces: Traces): Promise<void> {
    const { storage, onFailure } = this.options
    while (!this.stopping.signal.aborted) {
      try {
        return await storage.leases.hold(leaseOf(subject), () => this.sweepOnce(subject, row, traces))
      } catch (error) {
        onFailure(error, subject)
        await this.pause()
      }
    }
  }

  private async pause(): Promise<void> {
    try {
      await setTimeout(limits.sweepRetryMs, undefined, { signal: this.stopping.signal, ref: false })
    } catch {
      // The server is stopping, which the caller checks next.
    }
  }
}

const leaseOf = (subject: string): string => `sweep:${subject}`
