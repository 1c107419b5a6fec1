// Ends an interrupted apply: changes in flight get a short time, so that a provider that does not answer delays nobody.
import type { ApplyOptions } from './options.js'
import { applyLimits } from './work.js'

/** The signal that aborts calls in flight: at the second Ctrl-C, or some time after the first. */
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
