// Turns of the event loop, given out one by one.

/**
 * Resumes whoever waits one per turn of the event loop, first come, first served. Answers that arrive together would
 * otherwise be carried on together, step by step, and each wait for the work of all others: their next requests leave at
 * one time, and the answers to those arrive at one time again (the rows "apply of … new agents" and "plan of …
 * unchanged agents" of `npm run bench`).
 */
export class Turns {
  readonly #waiting: (() => void)[] = []

  /** Resolves when it is the caller's turn. The turn lasts until the caller waits for something else. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(() => this.#give())
    })
  }

  #give(): void {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(() => this.#give())
  }
}
