// Cache of pictures, texts and JSON in the form they are sent (the row "cached page images a second" of `npm run
// bench`).
import { createHash } from 'node:crypto'
import { PoolFailure } from '../../workers/messages/task.js'
import { limits } from '../limits.js'
import type { Metrics } from '../telemetry/metrics.js'
import { Cache } from './cache.js'

export interface CachedAnswer {
  readonly contentType: string
  readonly bytes: Uint8Array
  /** Strong entity tag, with quotes. */
  readonly etag: string
}

export interface AnswerKey {
  /** Version or layer by internal ids, so that no entry outlives a deleted document under the same public id. */
  readonly scope: readonly (string | number)[]
  /** Parts of the key, in a fixed order: pins, page, parameters. */
  readonly parts: readonly (string | number)[]
  /** Account that the work is charged to: identical work of different accounts is not shared. */
  readonly account: string
}

export type ComputedAnswer = Omit<CachedAnswer, 'etag'>

export class AnswerCache {
  private readonly cache: Cache<CachedAnswer>

  constructor(metrics: Metrics) {
    this.cache = new Cache({
      bytesMax: limits.answerCacheBytesMax,
      entryBytesMax: limits.answerCacheEntryBytesMax,
      bytesOf: ({ bytes }) => bytes.byteLength,
      onLookup: (isHit) => metrics.count(isHit ? 'read-cache-hit' : 'read-cache-miss'),
    })
  }

  async get({ scope, parts, account }: AnswerKey, compute: () => Promise<ComputedAnswer>): Promise<CachedAnswer> {
    const key = JSON.stringify([scope, ...parts])
    return this.cache.compute(key, async () => ({ ...(await compute()), etag: etagOf(key) }), { account, isOfAccount })
  }

  clear(): void {
    this.cache.clear()
  }
}

/** True if the pool refused the account that started the work; other accounts start it again. */
const isOfAccount = (error: unknown): boolean =>
  error instanceof PoolFailure && (error.code === 'overloaded' || error.code === 'quarantined')

/** Returns the entity tag: equal keys mean equal bytes, so the hash of the key identifies them. */
const etagOf = (key: string): string => `"${createHash('sha256').update(key).digest('base64url').slice(0, 27)}"`
