// One connection. Its requests are handled one after the other, each after the client has read the previous response, so
// that at most one response per connection is unread.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionBounds } from './connection-bounds.js'
import { type Excess, Exchange } from './exchange.js'
import { answerUnparsable } from './unparsable-requests.js'

interface WaitingRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export interface ConnectionOptions {
  readonly bounds: ConnectionBounds
  readonly serve: RequestListener
  /** Called with the reason after the connection was closed by a limit. */
  readonly onCut: (reason: Excess | 'pipelined-requests') => void
}

export class Connection {
  #current: Exchange | undefined
  #waiting: WaitingRequest[] = []
  #endedMs = 0
  readonly #destroySoon: () => void

  constructor(
    private readonly socket: Socket,
    private readonly options: ConnectionOptions,
  ) {
    this.#destroySoon = socket.destroySoon.bind(socket)
    // Node calls it after the last response. Closing a socket with an unread body resets the connection, and the client
    // would lose the response.
    socket.destroySoon = () => {
      if (this.#isReceiving) socket.end()
      else this.#destroySoon()
    }
    socket.once('close', () => {
      this.#waiting = []
      this.#current = undefined
    })
  }

  get unreadBytes(): number {
    return this.#current?.unreadBytes ?? 0
  }

  get secondsLeft(): number {
    return this.#current?.secondsLeft ?? 0
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    // Requests parsed before the connection was closed are ignored.
    if (this.#isOver) return
    if (this.#current === undefined) this.#begin({ request, response })
    else if (this.#waiting.length < this.options.bounds.waitingRequestsMax) this.#waiting.push({ request, response })
    else this.cut('pipelined-requests')
  }

  check(elapsedMs: number): void {
    const excess = this.#current?.check(elapsedMs)
    if (excess !== undefined) this.cut(excess)
    else if (this.socket.writableEnded) this.#endedMs += elapsedMs
    // The client has read the last response but does not close the connection.
    if (this.#endedMs >= this.options.bounds.droppedBodyMs) this.socket.destroy()
  }

  cut(reason: Excess | 'pipelined-requests'): void {
    if (this.socket.destroyed) return
    this.options.onCut(reason)
    if (reason !== 'slow-body' || this.#current?.response.headersSent) {
      this.socket.destroy()
      return
    }
    answerUnparsable(
      Object.assign(new Error('The request body arrived too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      this.socket,
    )
    this.#destroySoon()
  }

  get #isOver(): boolean {
    return this.socket.destroyed || this.socket.writableEnded
  }

  get #isReceiving(): boolean {
    return this.#current?.request.complete === false
  }

  #begin({ request, response }: WaitingRequest): void {
    const { bounds, serve } = this.options
    this.#current = new Exchange(request, response, bounds, {
      onOver: () => this.#next(),
      onExcess: (excess) => this.cut(excess),
    })
    serve(request, response)
  }

  #next(): void {
    this.#current = undefined
    const next = this.#waiting.shift()
    if (this.#isOver) this.#destroySoon()
    else if (next) this.#begin(next)
  }
}
