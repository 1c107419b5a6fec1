// Erases swept rows from the files of the store, where LevelDB retains removed rows until a compaction. Sweeps that
// finish during a compaction share the next one; the pause between compactions is proportional to their duration.
import { setTimeout } from 'node:timers/promises'
import { limits } from '../limits.js'
import type { Storage } from '../storage/open-storage.js'
import { rowKinds } from '../storage/row-kinds.js'
import type { Traces } from './traces.js'

export interface ErasureOptions {
  readonly storage: Pick<Storage, 'store'>
  /** Called after a failure that will be retried. */
  readonly onFailure: (error: unknown, subject: string) => void
}

export class Erasure {
  /** Waiting erasures, by the internal id of the swept tenant or document. */
  private readonly waiting = new Map<string, Traces>()
  private running: Promise<void> | undefined
  private readonly stopping = new AbortController()
  private restMs = 0

  constructor(private readonly options: ErasureOptions) {}

  /** Queues an erasure; the row of the sweep is removed when it is complete. */
  add(subject: string, traces: Traces): void {
    this.waiting.set(subject, traces)
    this.running ??= this.run().finally(() => {
      this.running = undefined
    })
  }

  has(subject: string): boolean {
    return this.waiting.has(subject)
  }

  /** Erases what is queued, without further pauses. Failures are left to the next start. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping
    while (this.waiting.size > 0) {
      await this.pause(this.restMs)
      const batch = new Map(this.waiting)
      const isDone = await this.tryToErase(batch)
      if (isDone) for (const subject of batch.keys()) this.waiting.delete(subject)
      else if (signal.aborted) return
      else await this.pause(limits.sweepRetryMs)
    }
  }

  private async tryToErase(batch: ReadonlyMap<string, Traces>): Promise<boolean> {
    const { onFailure } = this.options
    const begun = performance.now()
    try {
      await this.erase(batch)
      const restMs = limits.erasureRestFactor * (performance.now() - begun)
      this.restMs = Math.min(Math.max(restMs, limits.erasureRestMinMs), limits.erasureRestMaxMs)
      return true
    } catch (error) {
      onFailure(error, [...batch.keys()].join(' '))
      return false
    }
  }

  private async erase(batch: ReadonlyMap<string, Traces>): Promise<void> {
    const { store } = this.options.storage
    await store.forget?.([...batch.values()].flatMap((traces) => traces.ranges()))
    await store.commit({
      expect: [],
      put: [],
      delete: [...batch.keys()].map((subject) => rowKinds.sweeps.key([subject])),
    })
  }

  private async pause(ms: number): Promise<void> {
    const { signal } = this.stopping
    await setTimeout(ms, undefined, { signal, ref: false }).catch(() => {}) // Stopped; the caller checks the signal.
  }
}
