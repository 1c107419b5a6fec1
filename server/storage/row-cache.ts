// Cache of the bytes of recently read or written rows, which avoids reads from LevelDB (the row "cached page images a
// second" of `npm run bench`). The store is the only writer, so a cached value is current until a batch replaces it.
import { LRUCache } from 'lru-cache'
import { limits } from '../limits.js'
import { textOf } from './bytes.js'
import type { Write } from './database.js'
import type { Key } from './keys.js'
import type { Value } from './store.js'

/** Approximate memory of an entry in addition to its bytes. */
const overheadBytes = 256

export interface CachedRow {
  /** Undefined if there is no such row. */
  readonly value: Value | undefined
}

export class RowCache {
  private readonly rows = new LRUCache<string, CachedRow>({
    maxSize: limits.rowCacheBytesMax,
    sizeCalculation: ({ value }, key) => (value?.length ?? 0) + key.length + overheadBytes,
  })

  get(key: Key): CachedRow | undefined {
    return this.rows.get(textOf(key))
  }

  set(key: Key, value: Value | undefined): void {
    this.rows.set(textOf(key), { value })
  }

  /**
   * Evicts the rows of a batch that is about to be written, because until it is written only the store can return
   * rows of one moment.
   */
  evict(writes: readonly Write[]): void {
    for (const { key } of writes) this.rows.delete(textOf(key))
  }

  /** Caches the rows of a batch that reached the disk. */
  setAll(writes: readonly Write[]): void {
    for (const write of writes) this.set(write.key, write.type === 'put' ? write.value : undefined)
  }
}
