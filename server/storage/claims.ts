// The blobs that the rows of a document name.
import type { BlobOwner } from './blob-paths.js'
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
