// Blobs named by the rows of a document, possibly several times.
import type { BlobOwner } from './blob-paths.js'
import type { BlobName } from './blobs.js'
import type { BlobClaim } from './row-kind.js'
import { allRowKinds } from './row-kinds.js'
import type { Store } from './store.js'

export async function* claimsOf(store: Store, { tenant, document }: Required<BlobOwner>): AsyncIterable<BlobClaim> {
  for (const kind of allRowKinds) {
    const range = kind.namesBlobs ? kind.ownedBy(tenant, document) : undefined
    if (!range) continue
    for await (const entry of store.range(range)) yield* kind.open(entry)?.blobs ?? []
  }
}

/** Names of blobs that rows claim, for walks over all blobs: each document is read once. */
export class NamedBlobs {
  private owner = ''
  private names: ReadonlySet<string> = new Set()

  constructor(private readonly store: Store) {}

  async has({ tenant, document, name }: BlobName): Promise<boolean> {
    const owner = `${tenant}/${document}`
    if (owner !== this.owner) {
      this.names = await namesOf(this.store, { tenant, document })
      this.owner = owner
    }
    return this.names.has(name)
  }
}

async function namesOf(store: Store, owner: Required<BlobOwner>): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for await (const { blob } of claimsOf(store, owner)) names.add(blob.name)
  return names
}
