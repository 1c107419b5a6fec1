// Limits the time of the search for other occurrences of words, and remembers whether it was complete. A document of thousands of pages must not keep a
// redaction from being applied: the search ends, and the answer states so.
import { limits } from '../limits.js'

export class SearchClock {
  readonly #endsAt: number
  #isOver = false
  #hasMissed = false

  constructor(timeMs: number = limits.alsoFoundMs) {
    this.#endsAt = performance.now() + timeMs
  }

  /** True if the time is over; checked before every piece of work. */
  get isOver(): boolean {
    this.#isOver ||= performance.now() >= this.#endsAt
    return this.#isOver
  }

  /** Notes that a part of the document could not be searched. */
  miss(): void {
    this.#hasMissed = true
  }

  /** True if the search was complete: `isOver` never returned true, and nothing was missed. */
  get wasEnough(): boolean {
    return !this.#isOver && !this.#hasMissed
  }
}
