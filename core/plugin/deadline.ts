// A time limit on work that its caller can abort too.
import { setMaxListeners } from 'node:events'

/**
 * One of these a request costs a quarter of what `AbortSignal.timeout` and `AbortSignal.any` cost: both keep their
 * signals in registries that the garbage collector has to walk (the row "apply of … new agents" of `npm run bench`).
 */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #abort = () => this.#controller.abort(this.parent?.reason)
  #isOverdue = false

  /** `parent` aborts the work early. */
  constructor(
    timeoutMs: number,
    private readonly parent?: AbortSignal,
  ) {
    this.#timer = setTimeout(() => this.#expire(), timeoutMs).unref()
    if (!parent) return
    setMaxListeners(0, parent) // One for everything in flight; Node takes more than ten for a leak and prints that.
    if (parent.aborted) this.#abort()
    else parent.addEventListener('abort', this.#abort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get isOverdue(): boolean {
    return this.#isOverdue
  }

  /** To be called when the work has ended, in whatever way. */
  end(): void {
    clearTimeout(this.#timer)
    this.parent?.removeEventListener('abort', this.#abort)
  }

  #expire(): void {
    this.#isOverdue = true
    this.#controller.abort(new DOMException('The work took too long.', 'TimeoutError'))
  }
}
