// Long work of the main thread in short steps: between two of them everything else that waits gets its turn, however many
// requests have long work at once.
import { setImmediate } from 'node:timers/promises'

export class Turns {
  private last: Promise<unknown> = Promise.resolve()

  /** Resolves when a step may be made: one a turn of the event loop, first come, first served. */
  next(): Promise<void> {
    const turn = this.last.then(() => setImmediate())
    this.last = turn
    return turn
  }
}
