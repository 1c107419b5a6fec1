// Values computed from the document once and used by all ops of a change, so that each of ten thousand ops does not
// read its whole page again (the rows "one of … annotations in one change" of `npm run bench`). There is one rule of
// invalidation: code that alters one of the sources, other than through a cached value, evicts what was read from it.

/**
 * Part of the document from which cached values are read: annotations of a page, the form, or recorded positions of a
 * list.
 */
export type CacheSource = 'annotations' | 'form' | 'places'

/** A kind of cached value. Its key is a page object number or the name of a list. */
export interface CachedKind<Owner, Key, Value> {
  readonly source: CacheSource
  compute(owner: Owner, key: Key): Value
}

export class ChangeCache<Owner> {
  readonly #values = new Map<CachedKind<Owner, never, unknown>, Map<unknown, unknown>>()

  constructor(private readonly owner: Owner) {}

  get<Key, Value>(kind: CachedKind<Owner, Key, Value>, key: Key): Value {
    const values = this.#valuesOf(kind)
    if (!values.has(key)) values.set(key, kind.compute(this.owner, key))
    return values.get(key) as Value // Values of a kind are set only by that kind.
  }

  /** Evicts values of the key; without a key, all values read from the source. */
  evict(source: CacheSource, key?: unknown): void {
    for (const [kind, values] of this.#values) {
      if (kind.source !== source) continue
      if (key === undefined) values.clear()
      else values.delete(key)
    }
  }

  #valuesOf<Key, Value>(kind: CachedKind<Owner, Key, Value>): Map<unknown, unknown> {
    const known = this.#values.get(kind)
    if (known !== undefined) return known
    const values = new Map<unknown, unknown>()
    this.#values.set(kind, values)
    return values
  }
}
