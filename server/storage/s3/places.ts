// Finds the object of a blob by listing its prefix, and remembers it: objects never change.
import { LRUCache } from 'lru-cache'
import { limits } from '../../limits.js'
import { BlobMissing, type BlobName } from '../blobs.js'
import { blobOf, namePrefix } from './keys.js'
import { newestFirst } from './listed-objects.js'
import type { NamedObject } from './local-copies.js'
import type { Objects, StoredObject } from './objects.js'

export class Places {
  /** Objects of blobs, by their prefix. */
  private readonly known = new LRUCache<string, NamedObject>({ max: limits.blobPlacesMax })

  constructor(private readonly objects: Objects) {}

  /** Returns the newest object of the blob; undefined if there is none. `isFresh`: it is looked for in any case. */
  async find(name: BlobName, isFresh: boolean): Promise<NamedObject | undefined> {
    const place = namePrefix(name)
    const known = isFresh ? undefined : this.known.get(place)
    if (known) return known
    let newest: StoredObject | undefined
    for await (const object of this.objects.list(place)) {
      if (newest === undefined || newestFirst(object, newest) < 0) newest = object
    }
    const object = newest && { ...newest, name }
    if (object) this.known.set(place, object)
    else this.known.delete(place)
    return object
  }

  /** Throws `BlobMissing`. */
  async found(name: BlobName, isFresh = false): Promise<NamedObject> {
    const object = await this.find(name, isFresh)
    if (object === undefined) throw new BlobMissing(name)
    return object
  }

  set(object: NamedObject): void {
    this.known.set(namePrefix(object.name), object)
  }

  forget(isMeant: (name: BlobName) => boolean): void {
    for (const [place, object] of this.known.entries()) if (isMeant(object.name)) this.known.delete(place)
  }

  forgetKeys(keys: ReadonlySet<string>): void {
    for (const key of keys) {
      const name = blobOf(key)
      const place = name && namePrefix(name)
      if (place !== undefined && this.known.get(place)?.key === key) this.known.delete(place)
    }
  }
}
