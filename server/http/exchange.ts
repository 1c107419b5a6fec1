// One request and its response on a connection. The body must arrive, and the response must be read, at a minimum pace;
// of an unwanted body a limited number of bytes is discarded.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ConnectionBounds } from './connection-bounds.js'
import { MinimumRate } from './minimum-rate.js'
import { sentBytes } from './sent-bytes.js'

/** Limit that a client exceeded. */
export type Excess = 'slow-body' | 'endless-body' | 'unread-answer' | 'refused-body'

export class Exchange {
  readonly #bytesReadBefore: number
  readonly #receiving: MinimumRate
  readonly #sending: MinimumRate
  #answered: { readonly bytesRead: number; ms: number } | undefined
  #pending: { readonly sentBytes: number; ms: number } | undefined

  /** Creates the exchange. `onOver`: called when the request is received and the response sent completely. */
  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    private readonly bounds: ConnectionBounds,
    private readonly hooks: { readonly onOver: () => void; readonly onExcess: (excess: Excess) => void },
  ) {
    this.#bytesReadBefore = request.socket.bytesRead
    this.#receiving = new MinimumRate(bounds, this.#bytesReadBefore)
    this.#sending = new MinimumRate(bounds, sentBytes(request.socket))
    response.prependOnceListener('finish', () => {
      // This listener runs before Node's own one, which would discard the rest without a limit.
      if (!request.complete) this.#dropRest()
    })
    response.once('finish', () => {
      if (request.complete) hooks.onOver()
      else request.once('end', hooks.onOver)
    })
  }

  /** Bytes of the response that the client has not read yet. */
  get unreadBytes(): number {
    return this.response.writableLength
  }

  /** Estimated seconds until the client has read the rest; 0 while there is too little data. */
  get secondsLeft(): number {
    if (this.#pending === undefined || this.#pending.ms < this.bounds.judgedAfterMs) return 0
    const { sentBytes: before, ms } = this.#pending
    return (this.unreadBytes * ms) / 1000 / Math.max(1, sentBytes(this.request.socket) - before)
  }

  check(elapsedMs: number): Excess | undefined {
    const { request, bounds } = this
    const receivedBytes = request.socket.bytesRead - this.#bytesReadBefore
    if (!request.complete && receivedBytes > bounds.bodyBytesMax) return 'endless-body'
    if (!this.#keepsReceiving(elapsedMs)) return this.#answered ? 'refused-body' : 'slow-body'
    return this.#keepsSending(elapsedMs) ? undefined : 'unread-answer'
  }

  #keepsReceiving(elapsedMs: number): boolean {
    const { request, bounds } = this
    if (request.complete) return true
    if (this.#answered) {
      this.#answered.ms += elapsedMs
      return this.#answered.ms < bounds.droppedBodyMs
    }
    const { bytesRead } = request.socket
    // The server has not read these received bytes yet, so the client is not at fault.
    if (request.readableLength > 0) this.#receiving.rest(bytesRead)
    return this.#receiving.isMet(bytesRead, elapsedMs)
  }

  #keepsSending(elapsedMs: number): boolean {
    const sent = sentBytes(this.request.socket)
    if (this.unreadBytes === 0) {
      this.#pending = undefined
      this.#sending.rest(sent)
      return true
    }
    this.#pending ??= { sentBytes: sent, ms: 0 }
    this.#pending.ms += elapsedMs
    return this.#sending.isMet(sent, elapsedMs)
  }

  /** Discards the rest of the body: some clients read the response only after they have sent everything. */
  #dropRest(): void {
    const { request, bounds, hooks } = this
    const answered = { bytesRead: request.socket.bytesRead, ms: 0 }
    this.#answered = answered
    request.on('data', () => {
      const droppedBytes = request.socket.bytesRead - answered.bytesRead
      if (droppedBytes > bounds.droppedBodyBytesMax) hooks.onExcess('refused-body')
    })
    request.resume()
  }
}
