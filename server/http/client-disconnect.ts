// Signal that the client disconnected before the response was complete. Created on first use, because most requests
// never wait and creating a signal costs more than serving a cached response.
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
