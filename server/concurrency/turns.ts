// Queue for long work of the main thread in short steps: one step per turn of the event loop, for all requests together,
// so that other requests are served in between.
import { setImmediate } from 'node:timers/promises'

export class Turns {
  private last: Promise<unknown> = Promise.resolve()

  /** Resolves when the next step of the caller may run. Steps run in the order of the calls. */
  next(): Promise<void> {
    const turn = this.last.then(() => setImmediate())
    this.last = turn
    return turn
  }
}
