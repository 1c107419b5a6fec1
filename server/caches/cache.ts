// Cache of computed values with bounded memory. There is one rule of invalidation: a key contains everything its value
// was computed from, by internal ids and by the versions of what was read. So a cached value is never stale, eviction
// is only for size, and nothing relies on object identity of values.
import { LRUCache } from 'lru-cache'

/**
 * Internal ids, so that no entry outlives a deleted document under the same public id; then versions and parameters.
 */
export type CacheKey = string | readonly (string | number)[]

export interface CacheOptions<Value> {
  readonly bytesMax: number
  /** Larger values are not cached. Default: `bytesMax`. */
  readonly entryBytesMax?: number
  /** Returns the approximate memory of a value; that of its key is added. */
  readonly bytesOf: (value: Value, key: string) => number
  /** Called at each lookup of `compute`. */
  readonly onLookup?: (isHit: boolean) => void
}

export interface ComputeOptions {
  /** Account that the work is charged to: identical work of different accounts is not shared. */
  readonly account?: string
  /** True for a failure that concerns only the account that started the work: others start it again. */
  readonly isOfAccount?: (error: unknown) => boolean
}

/** Approximate memory of an entry in addition to its value and its key. */
const overheadBytes = 256

export class Cache<Value extends {}> {
  private readonly values: LRUCache<string, Value>
  private readonly inFlight = new Map<string, Promise<Value>>()

  constructor(private readonly options: CacheOptions<Value>) {
    const { bytesMax, entryBytesMax = bytesMax, bytesOf } = options
    this.values = new LRUCache({
      maxSize: bytesMax,
      maxEntrySize: entryBytesMax,
      sizeCalculation: (value, key) => bytesOf(value, key) + key.length + overheadBytes,
    })
  }

  get(key: CacheKey): Value | undefined {
    return this.values.get(textOfKey(key))
  }

  set(key: CacheKey, value: Value): void {
    this.values.set(textOfKey(key), value)
  }

  /** Returns the cached value, or computes it; requests for a value that is being computed wait for the same work. */
  async compute(key: CacheKey, compute: () => Promise<Value>, computing: ComputeOptions = {}): Promise<Value> {
    const text = textOfKey(key)
    const cached = this.values.get(text)
    this.options.onLookup?.(cached !== undefined)
    if (cached !== undefined) return cached
    const flight = `${computing.account ?? ''} ${text}`
    const inFlight = this.inFlight.get(flight)
    if (inFlight === undefined) return this.start(flight, text, compute)
    return inFlight.catch((error: unknown) => {
      if (computing.isOfAccount?.(error)) return this.inFlight.get(flight) ?? this.start(flight, text, compute)
      throw error
    })
  }

  /** Computes the value again, in place of a cached one that must not be used any more. */
  async renew(key: CacheKey, compute: () => Promise<Value>): Promise<Value> {
    const text = textOfKey(key)
    const flight = ` ${text}`
    return this.inFlight.get(flight) ?? this.start(flight, text, compute)
  }

  /**
   * Removes all entries, for content that must be erased; values being computed are still returned to waiting
   * callers, but not cached.
   */
  clear(): void {
    this.values.clear()
    this.inFlight.clear()
  }

  private start(flight: string, text: string, compute: () => Promise<Value>): Promise<Value> {
    const work = compute()
      .then((value) => {
        if (this.inFlight.get(flight) === work) this.values.set(text, value)
        return value
      })
      .finally(() => {
        if (this.inFlight.get(flight) === work) this.inFlight.delete(flight)
      })
    this.inFlight.set(flight, work)
    return work
  }
}

const textOfKey = (key: CacheKey): string => (typeof key === 'string' ? key : JSON.stringify(key))
