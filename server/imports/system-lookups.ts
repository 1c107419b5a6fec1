// Lookups by the operating system, which knows names that no name server does: those of /etc/hosts and of search
// domains. They cannot be cancelled and occupy one of the few threads of the process, so one runs at a time and the
// others wait in fair order.
import { lookup } from 'node:dns/promises'
import { FairQueue } from '../../workers/pool/fair-queue.js'
import { upstreamFailed } from './failures.js'
import { nameLimits } from './name-limits.js'
import type { Asking, Resolve } from './resolve.js'

interface Waiting {
  readonly hostname: string
  resolve(addresses: readonly string[]): void
  reject(error: unknown): void
}

export class SystemLookups {
  private isRunning = false
  private readonly queue = new FairQueue<Waiting>({
    tenantQueuedMax: nameLimits.systemLookupsWaitingMax,
    queuedMax: nameLimits.systemLookupsWaitingMax * nameLimits.systemLookupsFullQueuesMax,
    allowance: 1,
    tenantInFlightMax: 1,
  })

  constructor(private readonly lookUp: (hostname: string) => Promise<readonly string[]> = lookUpAll) {}

  /** Number of lookups that have not begun. */
  get waiting(): number {
    return this.queue.size
  }

  /** Looks a name up. A caller who gives up waits no longer; a lookup that has begun keeps the turn until it ends. */
  readonly resolve: Resolve = async (hostname, { account, signal }: Asking) => {
    signal.throwIfAborted()
    const { promise, ...outcome } = withResolvers<readonly string[]>()
    const waiting = { hostname, ...outcome }
    if (!this.queue.add(waiting, account, performance.now())) {
      throw upstreamFailed('Too many names of this tenant are being resolved')
    }
    const leave = () => {
      this.queue.remove(waiting, performance.now())
      waiting.reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    void this.runAll()
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  private async runAll(): Promise<void> {
    if (this.isRunning) return
    this.isRunning = true
    for (;;) {
      const next = this.queue.take(performance.now(), (waiting) => waiting)?.task
      if (next === undefined) break
      await this.lookUp(next.hostname).then(next.resolve, next.reject)
      this.queue.finish(next, performance.now())
    }
    this.isRunning = false
  }
}

async function lookUpAll(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}

function withResolvers<Value>() {
  let resolve: (value: Value) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<Value>((onValue, onError) => {
    resolve = onValue
    reject = onError
  })
  return { promise, resolve, reject }
}
