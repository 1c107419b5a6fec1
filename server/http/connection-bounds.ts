// Limits of one connection (pipelined requests, body size, pace) and of unread responses of all connections.
import { limits } from '../limits.js'
import type { RateBounds } from './minimum-rate.js'

export interface ConnectionBounds extends RateBounds {
  /** Pipelined requests waiting behind the current one. */
  readonly waitingRequestsMax: number
  /** Size limit of any request body, in bytes. */
  readonly bodyBytesMax: number
  /** Bytes of a body that are read and discarded after the response, and the time for it. */
  readonly droppedBodyBytesMax: number
  readonly droppedBodyMs: number
  /** Unread response bytes of all connections together. */
  readonly unreadBytesMax: number
  /** Time in which a client can demonstrate its pace before it may be disconnected in favour of others. */
  readonly judgedAfterMs: number
  readonly checkMs: number
}

export const defaultConnectionBounds: ConnectionBounds = {
  bytesPerSecondMin: limits.transferBytesPerSecondMin,
  reserveMs: limits.transferReserveMs,
  waitingRequestsMax: limits.waitingRequestsMax,
  bodyBytesMax: Number.POSITIVE_INFINITY,
  droppedBodyBytesMax: limits.droppedBodyBytesMax,
  droppedBodyMs: limits.droppedBodyMs,
  unreadBytesMax: limits.unreadAnswerBytesMax,
  judgedAfterMs: limits.unreadAnswerJudgedAfterMs,
  checkMs: limits.connectionCheckMs,
}
