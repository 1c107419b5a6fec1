// A time limit for work that its caller can abort, too.
import { setMaxListeners } from 'node:events'

/**
 * Signal that aborts at the deadline or with its parent. It costs a quarter of `AbortSignal.timeout` and
 * `AbortSignal.any`, which register their signals where the garbage collector has to visit them (the row "apply of …
 * new agents" of `npm run bench`).
 */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #abort = () => this.#controller.abort(this.parent?.reason)
  #isOverdue = false

  /** Starts the deadline. An abort of `parent` ends the work early. */
  constructor(
    timeoutMs: number,
    private readonly parent?: AbortSignal,
  ) {
    this.#timer = setTimeout(() => this.#expire(), timeoutMs).unref()
    if (!parent) return
    // Every call in flight listens to this signal; Node reports more than ten listeners as a leak.
    setMaxListeners(0, parent)
    if (parent.aborted) this.#abort()
    else parent.addEventListener('abort', this.#abort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get isOverdue(): boolean {
    return this.#isOverdue
  }

  /** Ends the deadline. The caller must call it when the work has ended, successfully or not. */
  end(): void {
    clearTimeout(this.#timer)
    this.parent?.removeEventListener('abort', this.#abort)
  }

  #expire(): void {
    this.#isOverdue = true
    this.#controller.abort(new DOMException('The work took too long.', 'TimeoutError'))
  }
}
