// What one connection may ask for and leave lying, and what all of them may leave unread together.
import { limits } from '../limits.js'
import type { RateBounds } from './minimum-rate.js'

export interface ConnectionBounds extends RateBounds {
  /** Requests that came behind one that is being answered. */
  readonly waitingRequestsMax: number
  /** Bytes of a body, whatever it is made of. */
  readonly bodyBytesMax: number
  /** Bytes of a body that are read and dropped after its request was answered, and the time for it. */
  readonly droppedBodyBytesMax: number
  readonly droppedBodyMs: number
  /** Bytes of answers, of all connections together, that wait for clients to take them. */
  readonly unreadBytesMax: number
  /** Time that a client has to show its pace, where it has to be judged before its reserve is spent. */
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
