// Comparison of byte arrays by content, and expectations about entries of the store.
import type { Key } from './keys.js'
import type { Entry, Expectation } from './store.js'

/** Returns the expectation that the entry still has its value. */
export const unchanged = ({ key, value }: Entry): Expectation => ({ key, value })

/** Returns the expectation that there is no entry. */
export const absent = (key: Key): Expectation => ({ key, value: undefined })

/** Returns a text that is equal for equal bytes, so that keys can be members of maps. */
export const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

export const sameBytes = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && Buffer.compare(a, b) === 0)
