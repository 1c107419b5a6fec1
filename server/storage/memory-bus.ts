// Message bus of a single process. Listeners are called asynchronously, as over a network.
import type { Bus } from './bus.js'

type Listeners<Args extends readonly unknown[]> = Map<string, Set<(...args: Args) => void>>

export class MemoryBus implements Bus {
  private readonly listeners: Listeners<[]> = new Map()
  private readonly hearers: Listeners<[text: string]> = new Map()

  publish(topic: string): void {
    call(this.listeners, topic)
  }

  /** Calls the listeners of all topics. */
  publishAll(): void {
    for (const topic of this.listeners.keys()) this.publish(topic)
  }

  subscribe(topic: string, listener: () => void): () => void {
    return add(this.listeners, topic, listener)
  }

  /** There is no other process. */
  announce(_topic: string, _text: string): void {}

  /** Calls the listeners of this process with the announcement of another one. */
  hear(topic: string, text: string): void {
    call(this.hearers, topic, text)
  }

  onAnnouncement(topic: string, listener: (text: string) => void): () => void {
    return add(this.hearers, topic, listener)
  }

  async close(): Promise<void> {
    this.listeners.clear()
    this.hearers.clear()
  }
}

function call<Args extends readonly unknown[]>(all: Listeners<Args>, topic: string, ...args: Args): void {
  for (const listener of all.get(topic) ?? []) {
    // A listener that has unsubscribed by then is not called.
    queueMicrotask(() => all.get(topic)?.has(listener) && listener(...args))
  }
}

function add<Args extends readonly unknown[]>(
  all: Listeners<Args>,
  topic: string,
  listener: (...args: Args) => void,
): () => void {
  // The same function may be subscribed twice; each subscription ends separately.
  const entry = (...args: Args) => listener(...args)
  const ofTopic = all.get(topic) ?? new Set()
  all.set(topic, ofTopic.add(entry))
  return () => {
    ofTopic.delete(entry)
    if (ofTopic.size === 0 && all.get(topic) === ofTopic) all.delete(topic)
  }
}
