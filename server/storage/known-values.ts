// What the store holds under the keys that were read or written last. Nobody else writes to the store, so what is known is
// true until a batch writes it anew.
import { LRUCache } from 'lru-cache'
import { limits } from '../limits.js'
import { textOf } from './bytes.js'
import type { Write } from './database.js'
import type { Key } from './keys.js'
import type { Value } from './store.js'

/** What a remembered value costs beside its bytes, roughly. */
const overheadBytes = 256

export interface KnownValue {
  /** Undefined = there is no such row. */
  readonly value: Value | undefined
}

export class KnownValues {
  private readonly values = new LRUCache<string, KnownValue>({
    maxSize: limits.knownValueBytesMax,
    sizeCalculation: ({ value }, key) => (value?.length ?? 0) + key.length + overheadBytes,
  })

  get(key: Key): KnownValue | undefined {
    return this.values.get(textOf(key))
  }

  note(key: Key, value: Value | undefined): void {
    this.values.set(textOf(key), { value })
  }

  /** Of a batch that is about to be written: from when on its rows are seen is for the store to say. */
  forgetAll(writes: readonly Write[]): void {
    for (const { key } of writes) this.values.delete(textOf(key))
  }

  /** Of a batch that reached the disk. */
  noteAll(writes: readonly Write[]): void {
    for (const write of writes) this.note(write.key, write.type === 'put' ? write.value : undefined)
  }
}
