// Waits for possible new events: returns when told, as by a bus message, or after a timeout, because messages can be lost.
import type { Bus } from '../storage/bus.js'
import { pauseFor } from './pause.js'

export class News {
  private isThere = true
  private wake: () => void = () => {}
  private readonly subscriptions: readonly (() => void)[]

  constructor(bus: Bus, topics: readonly string[]) {
    this.subscriptions = topics.map((topic) => bus.subscribe(topic, () => this.tell()))
  }

  /** Tells that there may be new events. */
  tell(): void {
    this.isThere = true
    this.wake()
  }

  /** Resolves when there may be new events since the last call, after the timeout, or when the signal is aborted. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.isThere) {
      await pauseFor(ms, signal, (end) => {
        this.wake = end
      })
    }
    this.isThere = false
  }

  close(): void {
    for (const end of this.subscriptions) end()
  }
}
