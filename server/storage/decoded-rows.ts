// Cache of decoded rows. The same bytes under the same key are the same row, so key and bytes together are the cache
// key.
import { textOf } from './bytes.js'
import type { Entry } from './store.js'

export interface DecodedRow {
  readonly row: unknown
}

export interface DecodedRows {
  get(key: string): DecodedRow | undefined
  set(key: string, row: DecodedRow): void
}

/** Returns the cache key. The length separates key and value, so that no two entries have the same cache key. */
export const decodedKey = ({ key, value }: Entry): string => `${key.length} ${textOf(key)}${textOf(value)}`
