// Work that waits in line: small pictures are drawn one after the other.

export class Line {
  #last: Promise<unknown>

  /** The line begins after `start`. */
  constructor(start: Promise<void>) {
    this.#last = start
  }

  /** Does the work in its turn, unless nobody wants it by then. */
  next<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(() => {
      signal.throwIfAborted()
      return work()
    })
    this.#last = turn.catch(() => {})
    return turn
  }
}
