// What a list of the objects of a blob says: which one is read, which are left over, and which local copies are out of date.
import type { ArrivedUpload, BlobName, ListedBlob } from '../blobs.js'
import { namePrefix, ownerPrefix, presignedName } from './keys.js'
import type { LocalCopies, NamedObject } from './local-copies.js'
import type { Objects, StoredObject } from './objects.js'

/** Orders objects of one blob: the newest is read; of those written in one second, the one with the last key. */
export const newestFirst = (one: StoredObject, other: StoredObject): number =>
  other.writtenAtMs - one.writtenAtMs || (one.key < other.key ? 1 : -1)

/** Returns the blob of these objects. */
export function listedBlob(
  group: readonly NamedObject[],
  removeKeys: (keys: readonly string[]) => Promise<void>,
): ListedBlob {
  const [newest, ...others] = [...group].sort(newestFirst)
  if (newest === undefined) throw new Error('A listed blob has an object')
  return {
    ...newest.name,
    sizeBytes: newest.sizeBytes,
    writtenAtMs: newest.writtenAtMs,
    remove: () => removeKeys(group.map(({ key }) => key)),
    removeCopies: (olderThanMs) =>
      removeKeys(others.filter(({ writtenAtMs }) => writtenAtMs < olderThanMs).map(({ key }) => key)),
  }
}

/**
 * Compares local copies that were not compared for so long with the storage, document by document. Returns the keys of
 * objects that are gone.
 */
export async function missingCopies(
  objects: Objects,
  copies: LocalCopies,
  uncheckedMs: number,
): Promise<ReadonlySet<string>> {
  const due = new Map<string, NamedObject[]>()
  for (const object of copies.uncheckedSince(Date.now() - uncheckedMs)) {
    const prefix = ownerPrefix(object.name)
    due.set(prefix, [...(due.get(prefix) ?? []), object])
  }
  const gone = new Set<string>()
  for (const [prefix, copied] of due) {
    const keys = new Set<string>()
    for await (const { key } of objects.list(prefix)) keys.add(key)
    for (const object of copied) {
      if (keys.has(object.key)) copies.noteChecked(object)
      else gone.add(object.key)
    }
  }
  return gone
}

/** Yields what clients uploaded directly for a document, the newest first. */
export async function* arrivedUploads(
  objects: Objects,
  owner: Pick<BlobName, 'tenant' | 'document'>,
  read: (object: StoredObject) => AsyncIterable<Uint8Array>,
): AsyncIterable<ArrivedUpload> {
  const arrived: StoredObject[] = []
  for await (const object of objects.list(namePrefix({ ...owner, name: presignedName }))) arrived.push(object)
  for (const object of arrived.sort(newestFirst)) {
    yield { sizeBytes: object.sizeBytes, read: () => read(object), remove: () => objects.remove(object.key) }
  }
}
