// Blobs that no row names: left by a crash between writing a blob and the commit that would have named it. Documents have
// rows before they have blobs, so a blob of no document goes at once. One of a living document may be about to be named by
// a commit: it is a suspect, and goes when it is still unnamed some time later and nobody works on the document.
import type { BlobName } from '../storage/blobs.js'
import { NamedBlobs } from '../storage/claims.js'
import type { Storage } from '../storage/open-storage.js'
import { documentLease, whileRemoving } from '../storage/removals.js'

type Collected = Pick<Storage, 'store' | 'tables' | 'blobs' | 'leases'>

export class Orphans {
  private suspects: readonly BlobName[] = []

  constructor(private readonly storage: Collected) {}

  /** Looks at every blob; answers how many went. */
  async collect(): Promise<number> {
    const suspects: BlobName[] = []
    let removed = 0
    const named = new NamedBlobs(this.storage.store)
    for await (const blob of this.storage.blobs.list()) {
      const owner = await this.storage.tables.documents.get([blob.tenant, blob.document])
      // Its sweep, or its upload, sees to it.
      if (owner?.state === 'deleting' || owner?.state === 'pending' || (await named.has(blob))) continue
      if (owner) suspects.push(blob)
      else if (await this.removeUnnamed(blob)) removed += 1
    }
    this.suspects = suspects
    return removed
  }

  /** Removes what was a suspect and is still named by nobody; answers how many went. */
  async removeSuspects(): Promise<number> {
    let removed = 0
    for (const blob of this.suspects) if (await this.removeUnnamed(blob)) removed += 1
    this.suspects = []
    return removed
  }

  /** While nobody works on the document, so that what is unnamed now stays so. */
  private removeUnnamed(blob: BlobName): Promise<boolean> {
    const { leases, blobs } = this.storage
    return leases.hold(documentLease(blob.document), async () => {
      if (await new NamedBlobs(this.storage.store).has(blob)) return false
      await whileRemoving(leases, () => blobs.remove(blob))
      return true
    })
  }
}
