// Blobs that no row names: left by a crash between writing a blob and the commit that would have named it, or by a change that
// was refused when it came to commit. Whoever writes blobs of a document that is not pending holds its lease until the commit,
// so what is unnamed while nobody holds it belongs to nobody.
import type { BlobName } from '../storage/blobs.js'
import { NamedBlobs } from '../storage/claims.js'
import type { Storage } from '../storage/open-storage.js'
import { documentLease, whileRemoving } from '../storage/removals.js'
import { RowCorrupt } from '../storage/row-codec.js'

type OrphanStorage = Pick<Storage, 'store' | 'tables' | 'blobs' | 'leases'>

export class Orphans {
  constructor(private readonly storage: OrphanStorage) {}

  /** Looks at every blob; answers how many went. */
  async collect(): Promise<number> {
    let removed = 0
    const named = new NamedBlobs(this.storage.store)
    for await (const blob of this.storage.blobs.list()) {
      const isRemoved = await unlessUnreadable(async () => {
        if ((await this.isSeenTo(blob)) || (await named.has(blob))) return false
        return this.removeUnnamed(blob)
      })
      if (isRemoved) removed += 1
    }
    return removed
  }

  /** True for blobs that the document's sweep or upload will handle. */
  private async isSeenTo({ tenant, document }: BlobName): Promise<boolean> {
    const owner = await this.storage.tables.documents.get([tenant, document])
    return owner?.state === 'deleting' || owner?.state === 'pending'
  }

  /** While nobody works on the document, so that what is unnamed now stays so. */
  private removeUnnamed(blob: BlobName): Promise<boolean> {
    const { leases, blobs } = this.storage
    return leases.hold(documentLease(blob.document), async () => {
      if ((await new NamedBlobs(this.storage.store).has(blob)) || (await this.isSeenTo(blob))) return false
      await whileRemoving(leases, () => blobs.remove(blob))
      return true
    })
  }
}

/** A damaged row may have named the blob, and must not keep others from being looked at. */
async function unlessUnreadable(removal: () => Promise<boolean>): Promise<boolean> {
  try {
    return await removal()
  } catch (error) {
    if (error instanceof RowCorrupt) return false
    throw error
  }
}
