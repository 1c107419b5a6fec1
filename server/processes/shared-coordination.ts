// Leases, wake-ups and counted attempts of the first process, shared with the others.
import { setMaxListeners } from 'node:events'
import type { Lease, Leases } from '../storage/leases.js'
import type { Channel } from './channel.js'

/** Serves leases; returns a function that ends those of a process that is gone. */
export function serveLeases(channel: Channel, leases: Leases): () => void {
  const held = new Map<number, () => void>()
  channel.handle('leases.take', async (id: number, name: string) => {
    const waiting = new AbortController()
    held.set(id, () => waiting.abort(new Error('The request for the lease was withdrawn')))
    const { signal } = waiting
    await new Promise<void>((taken, refuse) => {
      const work = () =>
        new Promise<void>((release) => {
          held.set(id, release)
          taken()
        })
      leases.hold(name, work, signal).catch(refuse)
    })
  })
  channel.handle('leases.try', async (id: number, name: string) => {
    const isTaken = new Promise<boolean>((answer) => {
      const work = () =>
        new Promise<void>((release) => {
          held.set(id, release)
          answer(true)
        })
      void leases.tryHold(name, work).then((run) => run === undefined && answer(false))
    })
    return isTaken
  })
  channel.handle('leases.release', (id: number) => {
    held.get(id)?.()
    held.delete(id)
  })
  channel.handle('leases.probe', () => leases.probe())
  return () => {
    for (const release of held.values()) release()
    held.clear()
  }
}

export class RemoteLeases implements Leases {
  readonly isShared = true
  private readonly working = new Set<Promise<unknown>>()
  private readonly closing = new AbortController()
  private nextId = 1
  private waitingCount = 0

  constructor(private readonly channel: Channel) {
    // Each request that waits for a lease listens to it.
    setMaxListeners(0, this.closing.signal)
  }

  async hold<T>(name: string, work: (lease: Lease) => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.closing.signal.throwIfAborted()
    signal?.throwIfAborted()
    const id = this.nextId++
    this.waitingCount += 1
    await this.take(id, name, signal).finally(() => {
      this.waitingCount -= 1
    })
    return this.run(id, work)
  }

  holdExclusively<T>(name: string, work: (lease: Lease) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.hold(name, work, signal)
  }

  async tryHold<T>(name: string, work: (lease: Lease) => Promise<T>): Promise<{ readonly result: T } | undefined> {
    this.closing.signal.throwIfAborted()
    const id = this.nextId++
    if (!(await this.channel.call<boolean>('leases.try', id, name))) return undefined
    return { result: await this.run(id, work) }
  }

  get waiting(): number {
    return this.waitingCount
  }

  private async run<T>(id: number, work: (lease: Lease) => Promise<T>): Promise<T> {
    // The first process holds a lease until this one releases it or ends.
    const running = (async () => work({ signal: new AbortController().signal }))()
    this.working.add(running)
    try {
      return await running
    } finally {
      this.working.delete(running)
      this.channel.notify('leases.release', id)
    }
  }

  probe(): Promise<void> {
    this.closing.signal.throwIfAborted()
    return this.channel.call('leases.probe')
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('The leases are closed'))
    await Promise.allSettled(this.working)
  }

  private async take(id: number, name: string, signal: AbortSignal | undefined): Promise<void> {
    const signals = [this.closing.signal, ...(signal ? [signal] : [])]
    const listening = new AbortController()
    const withdrawn = new Promise<never>((_, reject) => {
      const withdraw = (one: AbortSignal) => {
        this.channel.notify('leases.release', id)
        reject(one.reason)
      }
      const options = { once: true, signal: listening.signal }
      for (const one of signals) one.addEventListener('abort', () => withdraw(one), options)
    })
    try {
      await Promise.race([this.channel.call('leases.take', id, name), withdrawn])
      // Both may have happened: then the lease was released by the withdrawal.
      for (const one of signals) one.throwIfAborted()
    } finally {
      listening.abort()
    }
  }
}
