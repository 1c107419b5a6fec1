// Deletes tenants and documents, and runs the resulting sweeps: immediately, again after a failure, and after a restart.
// Swept data is then erased from the files of the store.
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

  /** Resumes deletions that an earlier process left unfinished. */
  async resume(): Promise<void> {
    const { tables } = this.options.storage
    for await (const { key, row } of tables.sweeps.range([])) void this.start(key[0], row, Traces.resumed(row))
  }

  /**
   * Deletes a tenant. Resolves when the tenant is invisible to all readers; `swept` resolves when no row or blob of it
   * is left, and never rejects.
   */
  async deleteTenant(tenant: string): Promise<{ readonly swept: Promise<void> }> {
    const removed = await markTenantDeleting(this.options, tenant)
    this.notifyReaders(tenant)
    const row = { tenant, document: null, startedAt: this.options.clock.now() }
    return { swept: this.start(tenant, row, Traces.begun(row, removed)) }
  }

  async deleteDocument(
    { tenant, document }: DocumentKey,
    isMeant?: (row: DocumentRow) => boolean,
  ): Promise<{ readonly swept: Promise<void> }> {
    const removed = await markDocumentDeleting(this.options, { tenant, document }, isMeant)
    this.notifyReaders(tenant)
    const row = { tenant, document, startedAt: this.options.clock.now() }
    return { swept: this.start(document, row, Traces.begun(row, removed)) }
  }

  /**
   * Resolves when no sweep of the subject is running; then no row or blob of it is left, unless the server stops.
   * Never rejects.
   */
  async swept(subject: string): Promise<void> {
    await this.running.get(subject)
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
    const running = this.running.get(subject)
    if (running) return running
    const work = this.untilDone(subject, row, traces).finally(() => this.running.delete(subject))
    this.running.set(subject, work)
    return work
  }

  private async untilDone(subject: string, row: SweepRow, traces: Traces): Promise<void> {
    const { storage, onFailure } = this.options
    while (!this.stopping.signal.aborted) {
      try {
        await sweep(storage, row, traces)
        this.erasure.add(subject, traces)
        return
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
