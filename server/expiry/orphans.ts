// Removes blobs that no row names: left by a crash between writing a blob and the commit that would have named it, or
// by a change that was refused at its commit. Writers of blobs of a document that is not pending hold its lease until
// the commit, so an unnamed blob of an unleased document is an orphan.
//
// Where several processes write, a writer may lose its lease and still commit, much later. Then:
// - only blobs of a certain age are orphans, which spares the running requests;
// - the document's row is changed first. Whoever writes a blob for a ready document reads the row before and expects it
//   unchanged at the commit, so every commit prepared before the change fails from now on, and one that succeeded before
//   named its blobs. Blobs of later commits are younger than the age;
// - only the objects that were listed are removed, not what is written to the name later.
import { type Clock, systemClock } from '../../core/ports/clock.js'
import { limits } from '../limits.js'
import { isGone } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import type { BlobName, ListedBlob } from '../storage/blobs.js'
import { NamedBlobs } from '../storage/claims.js'
import type { Storage } from '../storage/open-storage.js'
import { documentLease, whileRemoving } from '../storage/removals.js'
import { RowCorrupt } from '../storage/row-codec.js'
import { transact } from '../storage/transaction.js'

type OrphanStorage = Pick<Storage, 'store' | 'tables' | 'blobs' | 'leases'>

export class Orphans {
  constructor(
    private readonly storage: OrphanStorage,
    private readonly clock: Pick<Clock, 'now'> = systemClock,
  ) {}

  /** Inspects every blob; returns the number of removed ones. */
  async collect(): Promise<number> {
    const { blobs, leases, store } = this.storage
    let removed = 0
    const named = new NamedBlobs(store)
    for await (const blob of blobs.list()) {
      const isRemoved = await unlessUnreadable(async () => {
        const owner = await this.storage.tables.documents.get([blob.tenant, blob.document])
        if (this.isHandledElsewhere(owner) || !this.isOld(blob)) return false
        if (!(await named.has(blob))) return this.removeUnnamed(blob)
        await whileRemoving(leases, async () => blob.removeCopies?.(this.oldBeforeMs))
        return false
      })
      if (isRemoved) removed += 1
    }
    await blobs.tidy?.()
    return removed
  }

  /**
   * True for blobs that the document's sweep or upload will handle. A failed upload may be resumed; where several
   * processes write, its bytes are removed with the document.
   */
  private isHandledElsewhere(owner: DocumentRow | undefined): boolean {
    if (owner?.state === 'failed') return this.storage.blobs.isShared === true
    return owner?.state === 'deleting' || owner?.state === 'pending'
  }

  private get oldBeforeMs(): number {
    return this.clock.now() - limits.orphanAgeMs
  }

  private isOld({ writtenAtMs }: ListedBlob): boolean {
    return writtenAtMs === undefined || writtenAtMs < this.oldBeforeMs
  }

  /** Runs under the document's lease, so that an unnamed blob stays unnamed. */
  private removeUnnamed(blob: ListedBlob): Promise<boolean> {
    const { leases, store, blobs, tables } = this.storage
    return leases.hold(documentLease(blob.document), async () => {
      if (blobs.isShared === true && !(await this.changeRow(blob))) return false
      if (await new NamedBlobs(store).has(blob)) return false
      if (this.isHandledElsewhere(await tables.documents.get([blob.tenant, blob.document]))) return false
      await whileRemoving(leases, () => blob.remove())
      return true
    })
  }

  /** Changes the row of the document; returns false if its blobs are handled elsewhere. */
  private async changeRow({ tenant, document }: BlobName): Promise<boolean> {
    const slot = this.storage.tables.documents.at([tenant, document])
    try {
      return await transact({ store: this.storage.store }, async (transaction) => {
        const row = await transaction.read(slot)
        // Without the row of a document no commit for it can succeed.
        if (row === undefined) return true
        if (this.isHandledElsewhere(row)) return false
        transaction.put(slot, { ...row, collected: (row.collected ?? 0) + 1 })
        return true
      })
    } catch (error) {
      if (isGone(error)) return false // Its tenant is being deleted.
      throw error
    }
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
