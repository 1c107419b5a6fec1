// The signal that a client has gone before its answer was complete. Made only when somebody asks for it: most requests end
// without waiting for anything, and a signal costs more than a cached answer.
import type { ServerResponse } from 'node:http'

export class ClientDisconnect {
  #controller: AbortController | undefined

  constructor(private readonly response: ServerResponse) {}

  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal
    const controller = new AbortController()
    this.#controller = controller
    if (this.response.destroyed && !this.response.writableFinished) controller.abort()
    this.response.once('close', () => {
      if (!this.response.writableFinished) controller.abort()
    })
    return controller.signal
  }
}
