// Runs the erasures of redactions in the background: immediately, again after a failure, and after a restart.
import { setTimeout } from 'node:timers/promises'
import { limits } from '../limits.js'
import { type RedactedLayer, type WithholdingStorage, withhold } from './withhold.js'

export interface WithholdingsOptions {
  readonly storage: WithholdingStorage
  /** Called after a failure that will be retried. */
  readonly onFailure: (error: unknown) => void
}

export class Withholdings {
  /** Erasures of this process, by layer. */
  private readonly running = new Map<string, Promise<void>>()
  private readonly stopping = new AbortController()

  constructor(private readonly options: WithholdingsOptions) {}

  /** Resumes erasures that an earlier process left unfinished. */
  async resume(): Promise<void> {
    for await (const { key } of this.options.storage.tables.withholdings.range([])) {
      const [tenant, document, layerName] = key
      void this.start({ tenant, document, layerName })
    }
  }

  /** Resolves when everything that the layer's row lists is erased; never rejects. */
  start(layer: RedactedLayer): Promise<void> {
    const subject = JSON.stringify([layer.document, layer.layerName])
    // A running erasure may have read an earlier state of the row; the next one handles the rest.
    const before = this.running.get(subject) ?? Promise.resolve()
    const work = before
      .then(() => this.untilDone(layer))
      .finally(() => {
        if (this.running.get(subject) === work) this.running.delete(subject)
      })
    this.running.set(subject, work)
    return work
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all(this.running.values())
  }

  private async untilDone(layer: RedactedLayer): Promise<void> {
    const { storage, onFailure } = this.options
    const { signal } = this.stopping
    while (!signal.aborted) {
      try {
        return await withhold(storage, layer)
      } catch (error) {
        onFailure(error)
        await setTimeout(limits.sweepRetryMs, undefined, { signal, ref: false }).catch(() => {}) // Stopped.
      }
    }
  }
}
