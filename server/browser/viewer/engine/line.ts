// Work that waits in line: small pictures are drawn one after the other, and after the first page that somebody waits for.

/** The line opens after this time in any case. */
const openAfterMs = 3_000

export class Line {
  #open: () => void = () => {}
  #last: Promise<unknown> = new Promise<void>((open) => {
    this.#open = open
    setTimeout(open, openAfterMs)
  })

  open(): void {
    this.#open()
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
