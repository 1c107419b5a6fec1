// One connection: its requests are worked on one after the other, each when the answer before it has been taken, so that
// what a client leaves unread is one answer and not as many as it can ask for.
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
  /** Called when the connection was cut for it. */
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
    // Node calls it behind the last answer. With a body still coming it would take the answer from the client: what is
    // unread when a socket closes resets the connection.
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
    // Of bytes that were parsed before the connection was cut.
    if (this.#isOver) return
    if (this.#current === undefined) this.#begin({ request, response })
    else if (this.#waiting.length < this.options.bounds.waitingRequestsMax) this.#waiting.push({ request, response })
    else this.cut('pipelined-requests')
  }

  check(elapsedMs: number): void {
    const excess = this.#current?.check(elapsedMs)
    if (excess !== undefined) this.cut(excess)
    else if (this.socket.writableEnded) this.#endedMs += elapsedMs
    // The client has its last answer and does not go.
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
      Object.assign(new Error('The body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
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
