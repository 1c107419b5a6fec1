// Commits that no store writes: keys or values of a wrong size, and keys that are written twice.
import { limits } from '../limits.js'
import { textOf } from './bytes.js'
import { keyBytesMax } from './keys.js'
import type { Commit } from './store.js'

/** Throws a RangeError. */
export function refuseUnwritable({ put, delete: removed, amend = [] }: Commit): void {
  const seen = new Set<string>()
  for (const key of [...[...put, ...amend].map((entry) => entry.key), ...removed]) {
    if (key.length === 0 || key.length > keyBytesMax) throw new RangeError(`A key cannot have ${key.length} bytes`)
    const text = textOf(key)
    if (seen.has(text)) throw new RangeError('A commit cannot write the same key twice')
    seen.add(text)
  }
  const large = put.find(({ value }) => value.length > limits.valueBytesMax)
  if (large) throw new RangeError(`A value of ${large.value.length} bytes is above ${limits.valueBytesMax}`)
}
