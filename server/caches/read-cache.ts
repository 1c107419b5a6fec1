// Pictures and texts that were made before, in bounded memory; the same work asked for twice at once is done once.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { PoolFailure } from '../../workers/messages/task.js'
import { limits } from '../limits.js'
import type { Metrics } from '../telemetry/metrics.js'

export interface Kept {
  readonly contentType: string
  readonly bytes: Uint8Array
  /** Strong, quoted: names exactly these bytes' origin. */
  readonly etag: string
}

export interface Ingredients {
  /** Version or layer by internal ids, so that nothing outlives a deleted document under the same public name. */
  readonly scope: readonly (string | number)[]
  /** What the work depends on within that, in a fixed order: pins, page, parameters. */
  readonly parts: readonly (string | number)[]
  /** Whose share of the threads the work uses: identical work of different accounts does not wait for each other's turn. */
  readonly account: string
}

export type Made = Omit<Kept, 'etag'>

export class ReadCache {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: limits.readCacheBytesMax,
    maxEntrySize: limits.readCacheEntryBytesMax,
    sizeCalculation: ({ bytes }) => bytes.byteLength + 256,
  })
  private readonly underWay = new Map<string, Promise<Kept>>()

  constructor(private readonly metrics: Metrics) {}

  async get(ingredients: Ingredients, make: () => Promise<Made>): Promise<Kept> {
    const key = keyOf(ingredients)
    const kept = this.kept.get(key)
    this.metrics.count(kept ? 'read-cache-hit' : 'read-cache-miss')
    if (kept) return kept
    const flight = `${ingredients.account} ${key}`
    const underWay = this.underWay.get(flight)
    if (underWay === undefined) return this.start(flight, key, make)
    return underWay.catch((error: unknown) => {
      // It was refused to whoever asked first, which says nothing of this request.
      if (isRefusalOfAccount(error)) return this.underWay.get(flight) ?? this.start(flight, key, make)
      throw error
    })
  }

  /** Nothing that was made before, or is being made, is answered after it or kept. */
  clear(): void {
    this.kept.clear()
    this.underWay.clear()
  }

  private start(flight: string, key: string, make: () => Promise<Made>): Promise<Kept> {
    const work = make()
      .then((made) => {
        const kept = { ...made, etag: etagOf(key) }
        if (this.underWay.get(flight) === work) this.kept.set(key, kept)
        return kept
      })
      .finally(() => {
        if (this.underWay.get(flight) === work) this.underWay.delete(flight)
      })
    this.underWay.set(flight, work)
    return work
  }
}

const isRefusalOfAccount = (error: unknown): boolean =>
  error instanceof PoolFailure && (error.code === 'overloaded' || error.code === 'quarantined')

const keyOf = ({ scope, parts }: Pick<Ingredients, 'scope' | 'parts'>): string => JSON.stringify([scope, ...parts])

/** The same key is the same bytes, so its hash serves as their name. */
const etagOf = (key: string): string => `"${createHash('sha256').update(key).digest('base64url').slice(0, 27)}"`
