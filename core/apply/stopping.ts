// Ends an interrupted apply. Changes in flight get a short time, so that an unresponsive provider does not delay the
// end.
import type { ApplyOptions } from './options.js'
import { applyLimits } from './work.js'

/** Signal that aborts calls in flight: at the second Ctrl-C, or some time after the first. */
export class Stopping {
  readonly #controller = new AbortController()
  readonly #begin = () => {
    this.#timer = setTimeout(this.#abort, applyLimits.stopGraceMs).unref()
  }
  readonly #abort = () => this.#controller.abort()
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly options: Pick<ApplyOptions, 'gentleStop' | 'hardStop'>) {
    const { gentleStop, hardStop } = options
    if (hardStop?.aborted) this.#abort()
    else if (gentleStop?.aborted) this.#begin()
    gentleStop?.addEventListener('abort', this.#begin)
    hardStop?.addEventListener('abort', this.#abort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Called when the apply has ended. */
  end(): void {
    clearTimeout(this.#timer)
    this.options.gentleStop?.removeEventListener('abort', this.#begin)
    this.options.hardStop?.removeEventListener('abort', this.#abort)
  }
}
