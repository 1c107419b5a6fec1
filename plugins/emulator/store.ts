// Contents of an emulated account: collections of objects, newest first, with write-only parts stored separately.
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../core/value/tree.js'

export interface StoredObject {
  readonly id: string
  /** Name in the provider's `collections` table. */
  readonly collection: string
  /** Id of the parent object. */
  readonly parent?: string
  /** Members that the API returns. */
  readonly body: JsonObject
  /** Members that the API never returns: secrets, uploaded bytes (base64), counters. */
  readonly hidden: JsonObject
  readonly createdAtMs: number
  /** True if the object was created by `POST /_emulator/objects` or by the provider's `seed`, not through the API. */
  readonly seeded: boolean
  /** True for objects of a built-in catalogue, which are not listed at `/_emulator/objects`. */
  readonly isCatalogue: boolean
  /** Sequence number, increased with every insert. Lists are ordered by it, and cursors contain it. */
  readonly sequence: number
}

export type NewObject = Pick<StoredObject, 'id' | 'collection' | 'body' | 'createdAtMs'> &
  Partial<Pick<StoredObject, 'parent' | 'hidden' | 'seeded' | 'isCatalogue'>>

export interface StoreSnapshot {
  readonly sequence: number
  readonly objects: readonly StoredObject[]
}

interface Watcher {
  readonly collection: string
  readonly parent: string
  notice(object: StoredObject): void
}

const idAlphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export class Store {
  private readonly collections = new Map<string, Map<string, StoredObject>>()
  private readonly children = new Map<string, Map<string, StoredObject>>()
  private readonly watchers = new Set<Watcher>()
  private sequence = 0

  constructor(
    private readonly idSeed: string,
    /** Called after every change. */
    private readonly onChange: () => void = () => {},
  ) {}

  /** Returns an id that was never used before, even before a reset: `newId('agent_01', 22)`. */
  newId(prefix: string, length = 22): string {
    this.sequence++
    const digest = createHash('sha512').update(`${this.idSeed}:${prefix}:${this.sequence}`).digest()
    let tail = ''
    for (let index = 0; index < length; index++) tail += idAlphabet[(digest[index % 64] ?? 0) % idAlphabet.length]
    return prefix + tail
  }

  insert(object: NewObject): StoredObject {
    const stored: StoredObject = {
      hidden: {},
      seeded: false,
      isCatalogue: false,
      ...object,
      sequence: ++this.sequence,
    }
    this.keep(stored)
    this.onChange()
    for (const watcher of this.watchers)
      if (watcher.collection === stored.collection && watcher.parent === stored.parent) watcher.notice(stored)
    return stored
  }

  /** Yields objects inserted below a parent from now on, until the signal aborts; for event streams. */
  inserted(collection: string, parent: string, signal: AbortSignal): AsyncIterable<StoredObject> {
    const queue: StoredObject[] = []
    let wake = () => {}
    const watcher: Watcher = {
      collection,
      parent,
      notice(object) {
        queue.push(object)
        wake()
      },
    }
    const watchers = this.watchers.add(watcher)
    signal.addEventListener('abort', () => wake(), { once: true })
    return (async function* () {
      try {
        while (!signal.aborted) {
          const next = queue.shift()
          if (next) yield next
          else
            await new Promise<void>((resolve) => {
              wake = resolve
            })
        }
      } finally {
        watchers.delete(watcher)
      }
    })()
  }

  find(collection: string, id: string): StoredObject | undefined {
    return this.collections.get(collection)?.get(id)
  }

  /** Replaces the object's body and hidden part. */
  put(object: StoredObject): StoredObject {
    this.keep(object)
    this.onChange()
    return object
  }

  /** Removes the object and its descendants. */
  remove(object: StoredObject): void {
    this.collections.get(object.collection)?.delete(object.id)
    if (object.parent !== undefined) this.children.get(childKey(object.collection, object.parent))?.delete(object.id)
    for (const collection of this.collections.keys())
      for (const child of [...this.childrenOf(collection, object.id)]) this.remove(child)
    this.onChange()
  }

  /** Returns all objects of a collection, oldest first. */
  all(collection: string): Iterable<StoredObject> {
    return this.collections.get(collection)?.values() ?? []
  }

  /** Returns the children of an object, oldest first. */
  childrenOf(collection: string, parent: string): Iterable<StoredObject> {
    return this.children.get(childKey(collection, parent))?.values() ?? []
  }

  /** Yields all objects of all collections, oldest first within each. */
  *everything(): Generator<StoredObject> {
    for (const objects of this.collections.values()) yield* objects.values()
  }

  clear(): void {
    this.collections.clear()
    this.children.clear()
    this.onChange()
  }

  snapshot(): StoreSnapshot {
    return { sequence: this.sequence, objects: [...this.everything()] }
  }

  restore(snapshot: StoreSnapshot): void {
    this.sequence = snapshot.sequence
    for (const object of snapshot.objects) this.keep(object)
  }

  private keep(object: StoredObject): void {
    mapAt(this.collections, object.collection).set(object.id, object)
    if (object.parent !== undefined)
      mapAt(this.children, childKey(object.collection, object.parent)).set(object.id, object)
  }
}

function childKey(collection: string, parent: string): string {
  return `${collection}\n${parent}`
}

function mapAt<Key, Inner, Value>(outer: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  const found = outer.get(key) ?? new Map<Inner, Value>()
  outer.set(key, found)
  return found
}
