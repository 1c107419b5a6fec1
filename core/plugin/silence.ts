// Reports requests that have no answer yet: how far their bodies have come, or how long nothing has happened.
import type { HttpProgress } from '../ports/http.js'
import type { ConnectEnvironment } from './provider.js'

/** Time in milliseconds after which a request is reported, and reported again. */
const silenceMs = 8_000

/** Reports one request from its beginning until `end`. */
export class SilenceReport {
  readonly #timer: NodeJS.Timeout | undefined
  #progress: HttpProgress | undefined
  #hasMoved = false
  #silentMs = 0

  constructor({ onSilence }: ConnectEnvironment, operation: string) {
    if (!onSilence) return
    this.#timer = setInterval(() => {
      this.#silentMs = this.#hasMoved ? 0 : this.#silentMs + silenceMs
      this.#hasMoved = false
      onSilence({ operation, silentMs: this.#silentMs, ...(this.#progress ? { progress: this.#progress } : {}) })
    }, silenceMs).unref()
  }

  /** Bytes of a body were sent or received. */
  moved(progress: HttpProgress): void {
    this.#progress = progress
    this.#hasMoved = true
  }

  end(): void {
    clearInterval(this.#timer)
  }
}
