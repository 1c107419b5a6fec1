// How a task broke its thread, or was given up, and what its caller is told of it.
import { limits } from '../limits.js'
import { PoolFailure } from '../messages/task.js'

export interface BrokenThread {
  readonly kind: 'trapped' | 'lost' | 'timedOut'
  /** How far it counts against the request: 1, or the part of its time that it had. */
  readonly strike: number
}

export function failureOf({ kind, strike }: BrokenThread): PoolFailure {
  const { retryAfterSeconds } = limits
  if (kind !== 'timedOut') {
    return new PoolFailure('worker-lost', 'The document made its worker fail', retryAfterSeconds)
  }
  const isStarved = strike < 1
  return new PoolFailure('timed-out', 'The document takes too long to process', retryAfterSeconds, isStarved)
}
