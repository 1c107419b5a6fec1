// Rate limiter: counts attempts by key in windows of one minute, in bounded memory.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../core/ports/clock.js'
import { Refusal } from '../refusals/refusal.js'

const windowMs = 60_000

/** Counter of attempts. Asynchronous, so that processes that serve one store could share their counts. */
export interface Rate {
  /** Rejects with `TooManyRequests` and the seconds until the key may try again. */
  count(key: string): Promise<void>
  /** Removes an attempt that had no effect from the count. */
  forgive(key: string): Promise<void>
}

export interface AttemptsOptions {
  readonly perMinuteMax: number
  readonly rememberedMax: number
  readonly clock: Clock
}

export class Attempts implements Rate {
  private readonly windows: LRUCache<string, { readonly startedAtMs: number; count: number }>

  constructor(private readonly options: AttemptsOptions) {
    this.windows = new LRUCache({ max: options.rememberedMax })
  }

  async count(key: string): Promise<void> {
    const now = this.options.clock.now()
    const current = this.windows.get(key)
    const window = current && now - current.startedAtMs < windowMs ? current : { startedAtMs: now, count: 0 }
    window.count += 1
    this.windows.set(key, window)
    if (window.count <= this.options.perMinuteMax) return
    const retryAfterSeconds = Math.max(1, Math.ceil((window.startedAtMs + windowMs - now) / 1000))
    throw new Refusal('TooManyRequests', 'Too many attempts; wait and try again', { retryAfterSeconds })
  }

  async forgive(key: string): Promise<void> {
    const window = this.windows.peek(key)
    if (window !== undefined && window.count > 0) window.count -= 1
  }
}
