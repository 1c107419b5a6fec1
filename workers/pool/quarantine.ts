// Records what made threads fail: a page (or a job on a document) that did so twice is refused for some time, so that
// repeated requests cost nothing. Long tasks that never receive all of their time are quarantined too, after more
// attempts.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../core/ports/clock.js'
import { limits } from '../limits.js'

interface Strikes {
  /** Number of strikes; an attempt that received part of its time counts as that part. */
  readonly count: number
  readonly lastAtMs: number
}

export class Quarantine {
  readonly #strikes = new LRUCache<string, Strikes>({ max: limits.strikeEntriesMax })
  readonly #clock: Clock
  readonly #strikesMax: number
  readonly #quarantineMs: number

  constructor(clock: Clock, { strikesMax, quarantineMs }: { strikesMax: number; quarantineMs: number }) {
    this.#clock = clock
    this.#strikesMax = strikesMax
    this.#quarantineMs = quarantineMs
  }

  /** Adds a strike; `weight` is less than 1 for a partial failure. */
  strike(subject: string, weight: number): void {
    if (weight <= 0) return
    this.#strikes.set(subject, { count: this.#current(subject) + weight, lastAtMs: this.#clock.now() })
  }

  /** Returns the milliseconds until the end of the quarantine; 0 = not quarantined. */
  remainingMs(subject: string): number {
    if (this.#current(subject) < this.#strikesMax) return 0
    const lastAtMs = this.#strikes.peek(subject)?.lastAtMs ?? 0
    return lastAtMs + this.#quarantineMs - this.#clock.now()
  }

  /** Number of quarantined subjects. */
  get size(): number {
    return [...this.#strikes.keys()].filter((subject) => this.remainingMs(subject) > 0).length
  }

  /** Returns the current strikes: they expire after the duration of a quarantine. */
  #current(subject: string): number {
    const strikes = this.#strikes.peek(subject)
    if (strikes === undefined || this.#clock.now() - strikes.lastAtMs >= this.#quarantineMs) return 0
    return strikes.count
  }
}
