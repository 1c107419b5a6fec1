// Limits the time of the search for other occurrences of words. A document of thousands of pages must not keep a
// redaction from being applied: the search ends, and the answer states so.
import { limits } from '../limits.js'

export class SearchClock {
  readonly #endsAt: number
  #isOver = false

  constructor(timeMs: number = limits.alsoFoundMs) {
    this.#endsAt = performance.now() + timeMs
  }

  /** True if the time is over; checked before every piece of work. */
  get isOver(): boolean {
    this.#isOver ||= performance.now() >= this.#endsAt
    return this.#isOver
  }

  /** True if the search was complete: `isOver` never returned true. */
  get wasEnough(): boolean {
    return !this.#isOver
  }
}
