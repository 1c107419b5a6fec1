// A signal that is passed to a member of a handler, and records whether the requests of that call obey it.
import type { HttpRequest } from '../ports/http.js'

export class WatchedSignal {
  readonly signal: AbortSignal
  readonly #controller = new AbortController()
  /** Number of abort listeners ever added: one for every request whose signal is derived from this one. */
  #listeners = 0

  constructor(given: AbortSignal) {
    this.signal = AbortSignal.any([given, this.#controller.signal])
    const add = this.signal.addEventListener.bind(this.signal)
    this.signal.addEventListener = (...values: Parameters<typeof add>) => {
      this.#listeners++
      add(...values)
    }
  }

  /**
   * Returns the requests of the call that no abort would have reached. Call it when the call has ended, because it
   * aborts the signal: a request obeys if its own signal is aborted by that, or if a listener was registered until the
   * answer came. Requests with one signal, such as a repetition within the port, need one listener.
   */
  deafRequests(requests: readonly HttpRequest[]): readonly HttpRequest[] {
    const listeners = this.#listeners
    this.#controller.abort()
    const others = requests.filter(({ signal }) => !signal?.aborted)
    const signals = [...new Set(others.map(({ signal }) => signal))].filter((signal) => signal !== undefined)
    return others.filter(({ signal }) => !signal || signals.indexOf(signal) >= listeners)
  }
}
