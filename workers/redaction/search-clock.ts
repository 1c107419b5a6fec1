// How long is looked for further places of words. A document of thousands of pages must not keep a redaction from being
// applied: the search ends, and the answer says so.
import { limits } from '../limits.js'

export class SearchClock {
  readonly #endsAt: number
  #isOver = false

  constructor(timeMs: number = limits.alsoFoundMs) {
    this.#endsAt = performance.now() + timeMs
  }

  /** Asked before every piece of work; once it was true it stays. */
  get isOver(): boolean {
    this.#isOver ||= performance.now() >= this.#endsAt
    return this.#isOver
  }

  /** Nobody was told that it is over. */
  get wasEnough(): boolean {
    return !this.#isOver
  }
}
