// Cache of the values used last, limited by their total size in bytes. The newest value stays, however large it is.

export class WeightedCache<Key, Value> {
  /** Values by key, in the order of their last use. */
  readonly #entries = new Map<Key, { readonly value: Value; readonly bytes: number }>()
  #bytes = 0

  constructor(readonly bytesMax: number) {}

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Stores a value under a new key, and returns it. */
  set(key: Key, value: Value, bytes: number): Value {
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.bytesMax || oldest === key) break
      this.#entries.delete(oldest)
      this.#bytes -= entry.bytes
    }
    return value
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }
}
