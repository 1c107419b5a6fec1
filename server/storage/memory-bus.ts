// Message bus of a single process. Listeners are called asynchronously, as over a network.
import type { Bus } from './bus.js'

export class MemoryBus implements Bus {
  private readonly listeners = new Map<string, Set<() => void>>()

  publish(topic: string): void {
    for (const listener of this.listeners.get(topic) ?? []) {
      // A listener that has unsubscribed by then is not called.
      queueMicrotask(() => this.listeners.get(topic)?.has(listener) && listener())
    }
  }

  /** Calls the listeners of all topics. */
  publishAll(): void {
    for (const topic of this.listeners.keys()) this.publish(topic)
  }

  subscribe(topic: string, listener: () => void): () => void {
    // The same function may be subscribed twice; each subscription ends separately.
    const entry = () => listener()
    const all = this.listeners.get(topic) ?? new Set()
    this.listeners.set(topic, all.add(entry))
    return () => {
      all.delete(entry)
      if (all.size === 0 && this.listeners.get(topic) === all) this.listeners.delete(topic)
    }
  }

  async close(): Promise<void> {
    this.listeners.clear()
  }
}
