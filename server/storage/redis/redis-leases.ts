// Leases that processes share through Redis. Callers of one process queue in memory, so that a process sends one request
// per name; processes wait for each other by wake-up and by polling. A process that dies loses its leases a few seconds
// later.
import { limits } from '../../limits.js'
import { type Lease, type Leases, LeaseUnavailable } from '../leases.js'
import { MemoryLeases } from '../memory-leases.js'
import { HeldLease, leaseChannel } from './held-lease.js'
import type { RedisConnection } from './redis-connection.js'
import { RedisLost } from './watched-client.js'

/** Lease within this process, while other processes cannot be reached. */
const unshared: Lease = { signal: new AbortController().signal }

export class RedisLeases implements Leases {
  private readonly local = new MemoryLeases()
  private readonly closing = new AbortController()
  /** Wakes the caller that waits for another process, by name. */
  private readonly sleepers = new Map<string, () => void>()
  /** Releases in flight, by name: resolve with true if other processes wait. */
  private readonly releases = new Map<string, Promise<boolean>>()

  constructor(private readonly connection: RedisConnection) {
    connection.subscribe(leaseChannel(connection), (name) => this.sleepers.get(name)?.())
  }

  get isShared(): boolean {
    return this.connection.commands.isUp
  }

  /** Number of callers that wait. */
  get waiting(): number {
    return this.local.waiting + this.sleepers.size
  }

  hold<T>(name: string, work: (lease: Lease) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.local.hold(
      name,
      async () => this.release(name, (await this.untilTaken(name, signal)) ?? unshared, work),
      signal,
    )
  }

  holdExclusively<T>(name: string, work: (lease: Lease) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const exclusive = async () => {
      const lease = await this.untilTaken(name, signal)
      if (lease === undefined) throw new LeaseUnavailable()
      return this.release(name, lease, work)
    }
    return this.local.hold(name, exclusive, signal)
  }

  async tryHold<T>(name: string, work: (lease: Lease) => Promise<T>): Promise<{ readonly result: T } | undefined> {
    const held = await this.local.tryHold(name, async () => {
      const lease = await this.take(name, { isWaiting: false })
      return typeof lease === 'number' ? undefined : { result: await this.release(name, lease ?? unshared, work) }
    })
    return held?.result
  }

  async probe(): Promise<void> {
    await this.local.probe()
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('The leases are closed'))
    for (const wake of this.sleepers.values()) wake()
    await this.local.close()
    await Promise.all(this.releases.values())
  }

  /** Waits for the lease; undefined if Redis does not answer. */
  private async untilTaken(name: string, signal: AbortSignal | undefined): Promise<HeldLease | undefined> {
    // Other processes that wait get their turn before the next caller of this one.
    if (await this.releases.get(name)) await this.sleep(name, limits.leaseYieldMs, signal)
    for (;;) {
      this.closing.signal.throwIfAborted()
      signal?.throwIfAborted()
      const taken = await this.take(name, { isWaiting: true })
      if (typeof taken !== 'number') return taken
      await this.sleep(name, Math.min(taken, limits.leasePollMs) * (0.5 + Math.random() / 2) + 1, signal)
    }
  }

  /** Returns undefined if Redis does not answer. */
  private async take(name: string, options: { readonly isWaiting: boolean }): Promise<HeldLease | number | undefined> {
    try {
      return await HeldLease.take(this.connection, name, options)
    } catch (error) {
      if (!(error instanceof RedisLost)) throw error
      this.connection.onEvent('lease-unshared')
      return undefined
    }
  }

  /** Runs the work and then releases the lease, without waiting for the answer of Redis. */
  private async release<T>(name: string, lease: Lease, work: (lease: Lease) => Promise<T>): Promise<T> {
    try {
      return await work(lease)
    } finally {
      if (lease instanceof HeldLease) {
        const released = lease.release()
        this.releases.set(name, released)
        void released.then(() => this.releases.get(name) === released && this.releases.delete(name))
      }
    }
  }

  private sleep(name: string, ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        this.sleepers.delete(name)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      signal?.addEventListener('abort', wake)
      this.sleepers.set(name, wake)
    })
  }
}
