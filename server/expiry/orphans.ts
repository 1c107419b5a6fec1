// Removes blobs that no row names: left by a crash between writing a blob and the commit that would have named it, or
// by a change that was refused at its commit. Writers of blobs of a document that is not pending hold its lease until
// the commit, so an unnamed blob of an unleased document is an orphan. Should two processes hold the lease at once, the
// document's row is the fence: it changes before a blob is removed, so that a writer that read it earlier fails, and a
// repeated attempt writes its blobs under other names.
import type { BlobName } from '../storage/blobs.js'
import { NamedBlobs } from '../storage/claims.js'
import type { Storage } from '../storage/open-storage.js'
import { documentLease, whileRemoving } from '../storage/removals.js'
import { RowCorrupt } from '../storage/row-codec.js'
import { transact } from '../storage/transaction.js'

type OrphanStorage = Pick<Storage, 'store' | 'tables' | 'blobs' | 'leases'>

export class Orphans {
  constructor(private readonly storage: OrphanStorage) {}

  /** Inspects every blob; returns the number of removed ones. */
  async collect(): Promise<number> {
    let removed = 0
    const named = new NamedBlobs(this.storage.store)
    for await (const blob of this.storage.blobs.list()) {
      const isRemoved = await unlessUnreadable(async () => {
        if ((await this.isHandledElsewhere(blob)) || (await named.has(blob))) return false
        return this.removeUnnamed(blob)
      })
      if (isRemoved) removed += 1
    }
    return removed
  }

  /** True for blobs that the document's sweep or upload will handle. */
  private async isHandledElsewhere({ tenant, document }: BlobName): Promise<boolean> {
    const owner = await this.storage.tables.documents.get([tenant, document])
    return owner?.state === 'deleting' || owner?.state === 'pending'
  }

  /** Runs under the document's lease, so that an unnamed blob stays unnamed. */
  private removeUnnamed(blob: BlobName): Promise<boolean> {
    const { leases, blobs } = this.storage
    return leases.hold(documentLease(blob.document), async () => {
      if (!(await this.fence(blob))) return false
      await whileRemoving(leases, () => blobs.remove(blob))
      return true
    })
  }

  /** Makes earlier readers of the document's row fail at their commit; false if the blob is no orphan. */
  private fence(blob: BlobName): Promise<boolean> {
    const { store, tables } = this.storage
    return transact({ store }, async (transaction) => {
      const slot = tables.documents.at([blob.tenant, blob.document])
      const row = await transaction.read(slot)
      if (row?.state === 'deleting' || row?.state === 'pending') return false
      if (await new NamedBlobs(store).has(blob)) return false
      if (row) transaction.put(slot, { ...row, collections: (row.collections ?? 0) + 1 })
      return true
    })
  }
}

/** Skips a blob that a damaged row may have named, without preventing the inspection of others. */
async function unlessUnreadable(removal: () => Promise<boolean>): Promise<boolean> {
  try {
    return await removal()
  } catch (error) {
    if (error instanceof RowCorrupt) return false
    throw error
  }
}
