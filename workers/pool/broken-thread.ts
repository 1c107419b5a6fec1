// Describes how a task broke its thread or exceeded its deadline, and the error that its caller gets.
import { limits } from '../limits.js'
import { PoolFailure } from '../messages/task.js'

export interface BrokenThread {
  readonly kind: 'trapped' | 'lost' | 'timedOut'
  /** Weight of the strike against the request: 1, or the share of its processor time that the task received. */
  readonly strike: number
}

export function failureOf({ kind, strike }: BrokenThread): PoolFailure {
  const { retryAfterSeconds } = limits
  if (kind !== 'timedOut') {
    return new PoolFailure('worker-lost', 'The document caused its worker to fail', retryAfterSeconds)
  }
  const isStarved = strike < 1
  return new PoolFailure('timed-out', 'The document takes too long to process', retryAfterSeconds, isStarved)
}
