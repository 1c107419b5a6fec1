// Compares two values: references are compared, not followed; streams are compared by their bytes.
import type { StrictDocument } from '../../../strict-reader/strict-document.js'
import type { StrictDictionary, StrictStream, StrictValue } from '../../../strict-reader/values.js'

export function isSameValue(
  document: StrictDocument,
  one: StrictValue | undefined,
  other: StrictValue | undefined,
): boolean {
  const same = (a: StrictValue | undefined, b: StrictValue | undefined): boolean => {
    if (a === b) return true
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (a.kind === 'name') return b.kind === 'name' && a.name === b.name
    if (a.kind === 'string') return b.kind === 'string' && Buffer.compare(a.bytes, b.bytes) === 0
    if (a.kind === 'reference') {
      return b.kind === 'reference' && a.number === b.number && a.generation === b.generation
    }
    if (a.kind === 'array') {
      return (
        b.kind === 'array' &&
        a.items.length === b.items.length &&
        a.items.every((item, index) => same(item, b.items[index]))
      )
    }
    if (a.kind === 'dictionary') return b.kind === 'dictionary' && sameEntries(a, b, [])
    return b.kind === 'stream' && sameStreams(a, b)
  }

  // A null entry equals a missing one (ISO 32000-2, 7.3.7).
  const sameEntries = (a: StrictDictionary, b: StrictDictionary, ignored: readonly string[]): boolean =>
    [...new Set([...a.entries.keys(), ...b.entries.keys()])]
      .filter((key) => !ignored.includes(key))
      .every((key) => same(a.entries.get(key) ?? null, b.entries.get(key) ?? null))

  // `/Length` may be direct or a reference; the lengths that the reader found are compared instead.
  const sameStreams = (a: StrictStream, b: StrictStream): boolean =>
    sameEntries(a.dictionary, b.dictionary, ['Length']) &&
    (a.offset === b.offset && a.length === b.length
      ? true
      : (document.isEncrypted || a.length === b.length) &&
        Buffer.compare(document.rawBytes(a), document.rawBytes(b)) === 0)

  return same(one ?? null, other ?? null)
}
