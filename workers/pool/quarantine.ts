// Remembers what made threads fail: a page (or a job on a document) that did so twice is left alone for a while, so that
// asking for it again costs nothing. What takes long and never gets all of its time ends there too, later.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../core/ports/clock.js'
import { limits } from '../limits.js'

interface Strikes {
  /** A run that was given up before it had all its time counts as the part that it had. */
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

  /** `weight`: 1, or less for less than a whole failure. */
  strike(subject: string, weight: number): void {
    if (weight <= 0) return
    this.#strikes.set(subject, { count: this.#current(subject) + weight, lastAtMs: this.#clock.now() })
  }

  /** Milliseconds it must still be left alone; 0 = it may be tried. */
  remainingMs(subject: string): number {
    if (this.#current(subject) < this.#strikesMax) return 0
    const lastAtMs = this.#strikes.peek(subject)?.lastAtMs ?? 0
    return lastAtMs + this.#quarantineMs - this.#clock.now()
  }

  /** Subjects that are left alone now. */
  get size(): number {
    return [...this.#strikes.keys()].filter((subject) => this.remainingMs(subject) > 0).length
  }

  /** A strike is forgotten after the same time that a quarantine lasts. */
  #current(subject: string): number {
    const strikes = this.#strikes.peek(subject)
    if (strikes === undefined || this.#clock.now() - strikes.lastAtMs >= this.#quarantineMs) return 0
    return strikes.count
  }
}
