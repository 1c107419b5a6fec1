// Pictures and texts that were made before, in bounded memory; the same work asked for twice at once is done once.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { limits } from '../limits.js'
import type { Metrics } from '../metrics.js'

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
    const underWay = this.underWay.get(key) ?? this.start(key, make)
    return underWay
  }

  /** Nothing that was made before, or is being made, is answered after it or kept. */
  clear(): void {
    this.kept.clear()
    this.underWay.clear()
  }

  private start(key: string, make: () => Promise<Made>): Promise<Kept> {
    const work = make()
      .then((made) => {
        const kept = { ...made, etag: etagOf(key) }
        if (this.underWay.get(key) === work) this.kept.set(key, kept)
        return kept
      })
      .finally(() => {
        if (this.underWay.get(key) === work) this.underWay.delete(key)
      })
    this.underWay.set(key, work)
    return work
  }
}

const keyOf = ({ scope, parts }: Ingredients): string => JSON.stringify([scope, ...parts])

/** The same key is the same bytes, so its hash serves as their name. */
const etagOf = (key: string): string => `"${createHash('sha256').update(key).digest('base64url').slice(0, 27)}"`
