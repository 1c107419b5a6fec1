// Leases of a single process: one first-in-first-out queue per name.
import type { Lease, Leases } from './leases.js'

interface Waiter {
  readonly start: () => void
  readonly fail: (reason: unknown) => void
}

export class MemoryLeases implements Leases {
  readonly isShared = true
  /** Waiting callers in order, by name. A name is present while its lease is held. */
  private readonly queues = new Map<string, Waiter[]>()
  private readonly working = new Set<Promise<unknown>>()
  private isClosed = false

  async hold<T>(name: string, work: (lease: Lease) => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.turn(name, signal)
    return this.run(name, work)
  }

  holdExclusively<T>(name: string, work: (lease: Lease) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.hold(name, work, signal)
  }

  async tryHold<T>(name: string, work: (lease: Lease) => Promise<T>): Promise<{ readonly result: T } | undefined> {
    if (this.queues.has(name)) return undefined
    return { result: await this.hold(name, work) }
  }

  /** Number of callers that wait. */
  get waiting(): number {
    let sum = 0
    for (const queue of this.queues.values()) sum += queue.length
    return sum
  }

  private async run<T>(name: string, work: (lease: Lease) => Promise<T>): Promise<T> {
    // A lease of this process is never lost while the process lives.
    const running = (async () => work({ signal: new AbortController().signal }))()
    this.working.add(running)
    try {
      return await running
    } finally {
      this.working.delete(running)
      this.handOn(name)
    }
  }

  async probe(): Promise<void> {
    if (this.isClosed) throw closedError()
  }

  /** Refuses waiting callers, and waits for the current holders. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const queue of this.queues.values()) for (const { fail } of queue.splice(0)) fail(closedError())
    await Promise.allSettled(this.working)
  }

  private async turn(name: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.isClosed) throw closedError()
    signal?.throwIfAborted()
    const queue = this.queues.get(name)
    if (!queue) {
      this.queues.set(name, [])
      return
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(signal?.reason)
      }
      const waiting: Waiter = {
        start() {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
        fail(reason) {
          signal?.removeEventListener('abort', leave)
          reject(reason)
        },
      }
      queue.push(waiting)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  private handOn(name: string): void {
    const next = this.queues.get(name)?.shift()
    if (next) next.start()
    else this.queues.delete(name)
  }
}

const closedError = () => new Error('The leases are closed')
