// Distributes turns of the event loop, one at a time.

/**
 * Resumes waiting callers one per turn of the event loop, first come, first served. Answers that arrive together would
 * otherwise be processed together, step by step, each waiting for the work of all others: their next requests would
 * leave together, and the answers to those would arrive together again (the rows "apply of … new agents" and "plan of …
 * unchanged agents" of `npm run bench`).
 */
export class Turns {
  readonly #waiting: (() => void)[] = []

  /** Resolves when it is the caller's turn, which lasts until the caller awaits something else. */
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
