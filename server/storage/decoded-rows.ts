// Where decoded rows are cached. The same bytes under the same key are the same row, so both together are the key.
import { textOf } from './bytes.js'
import type { Entry } from './store.js'

export interface DecodedRow {
  readonly row: unknown
}

export interface DecodedRows {
  get(key: string): DecodedRow | undefined
  set(key: string, row: DecodedRow): void
}

/** The length parts the two: a byte more in one and less in the other is another entry. */
export const decodedKey = ({ key, value }: Entry): string => `${key.length} ${textOf(key)}${textOf(value)}`
