// Rate limiter that processes share through Redis. Attempts are counted in this process too, so that the limit of one
// process holds however often Redis is lost.
import { createHash } from 'node:crypto'
import { Refusal } from '../refusals/refusal.js'
import type { RedisConnection } from '../storage/redis/redis-connection.js'
import type { Rate } from './attempts.js'

const windowSeconds = 60

export interface SharedAttemptsOptions {
  /** Distinguishes the keys of this limit from those of others. */
  readonly name: string
  readonly perMinuteMax: number
  /** Counts the attempts of this process. */
  readonly local: Rate
}

/** Opens limiters on a connection; the library is loaded only where there is one. */
export async function sharedAttemptsOn(redis: RedisConnection): Promise<(options: SharedAttemptsOptions) => Rate> {
  const { RateLimiterRedis, RateLimiterRes } = await import('rate-limiter-flexible')
  return ({ name, perMinuteMax, local }) => {
    const limiter = new RateLimiterRedis({
      storeClient: redis.client,
      keyPrefix: `steward:rate:${name}`,
      points: perMinuteMax,
      duration: windowSeconds,
    })
    /** Milliseconds until the key may try again; 0 = now. While Redis does not answer, this process alone counts. */
    const waitMs = (key: string): Promise<number> =>
      redis.commands
        .run(() =>
          limiter.consume(key).then(
            () => 0,
            (refused: unknown) => {
              if (refused instanceof RateLimiterRes) return Math.max(1, refused.msBeforeNext)
              throw refused
            },
          ),
        )
        .catch(() => 0)
    return {
      async count(key) {
        await local.count(key)
        const ms = await waitMs(hashOf(key))
        if (ms === 0) return
        const retryAfterSeconds = Math.max(1, Math.ceil(ms / 1000))
        throw new Refusal('TooManyRequests', 'Too many attempts; wait and try again', { retryAfterSeconds })
      },
      async reset(key) {
        await local.reset(key)
        await redis.commands.run(() => limiter.reward(hashOf(key))).catch(() => {}) // One attempt less remains.
      },
    }
  }
}

/** Keys contain tokens of shares, which are no business of whoever reads Redis. */
const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url')
