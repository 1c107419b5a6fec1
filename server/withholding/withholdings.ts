// Runs the erasures of redactions in the background: immediately, again after a failure, after a restart,
// and in place of a process that died.
import { setTimeout } from 'node:timers/promises'
import { limits } from '../limits.js'
import { isGone } from '../refusals/refusal.js'
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

  /** Resumes erasures that an earlier process left unfinished, or another one that is gone; called periodically. */
  async resume(): Promise<void> {
    for await (const { key } of this.options.storage.tables.withholdings.range([])) {
      const [tenant, document, layerName] = key
      this.takeOver({ tenant, document, layerName })
    }
  }

  /** Resolves when everything that the layer's row lists is erased; never rejects. */
  start(layer: RedactedLayer): Promise<void> {
    const subject = subjectOf(layer)
    // A running erasure may have read an earlier state of the row; the next one handles the rest.
    const before = this.running.get(subject) ?? Promise.resolve()
    return this.run(
      subject,
      before.then(() => this.untilDone(layer)),
    )
  }

  /** Erases what no process is erasing at this moment. */
  private takeOver(layer: RedactedLayer): void {
    const subject = subjectOf(layer)
    if (this.running.has(subject) || this.stopping.signal.aborted) return
    const { storage, onFailure } = this.options
    const once = async () => {
      await storage.leases.tryHold(`withhold:${subject}`, () => this.withhold(layer))
    }
    void this.run(subject, once().catch(onFailure))
  }

  private run(subject: string, erasing: Promise<void>): Promise<void> {
    const work = erasing.finally(() => {
      if (this.running.get(subject) === work) this.running.delete(subject)
    })
    this.running.set(subject, work)
    return work
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all(this.running.values())
  }

  private async withhold(layer: RedactedLayer): Promise<void> {
    try {
      await withhold(this.options.storage, layer)
    } catch (error) {
      if (!isGone(error)) throw error // The deletion of the document erases all of it.
    }
  }

  private async untilDone(layer: RedactedLayer): Promise<void> {
    const { storage, onFailure } = this.options
    const { signal } = this.stopping
    while (!signal.aborted) {
      try {
        return await storage.leases.hold(`withhold:${subjectOf(layer)}`, () => this.withhold(layer))
      } catch (error) {
        onFailure(error)
        await setTimeout(limits.sweepRetryMs, undefined, { signal, ref: false }).catch(() => {}) // Stopped.
      }
    }
  }
}

const subjectOf = ({ document, layerName }: RedactedLayer): string => JSON.stringify([document, layerName])
