// Values that were read lately, up to a weight in bytes.

export class Kept<Key, Value> {
  readonly #values = new Map<Key, { readonly value: Value; readonly bytes: number }>()
  #bytes = 0

  constructor(readonly bytesMax: number) {}

  get(key: Key): Value | undefined {
    const kept = this.#values.get(key)
    if (kept === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, kept)
    return kept.value
  }

  set(key: Key, value: Value, bytes: number): Value {
    this.#values.set(key, { value, bytes })
    this.#bytes += bytes
    for (const [oldest, kept] of this.#values) {
      if (this.#bytes <= this.bytesMax || oldest === key) break
      this.#values.delete(oldest)
      this.#bytes -= kept.bytes
    }
    return value
  }

  clear(): void {
    this.#values.clear()
    this.#bytes = 0
  }
}
