// Blobs that no row names: left by a crash between writing a blob and the commit that would have named it. Documents have
// rows before they have blobs, so a blob of no document can go at once; one of a living document might be named by a
// commit that is about to happen, so it goes only when nobody works on the document and it was seen before.
import type { BlobName } from '../storage/blobs.js'
import { claimsOf } from '../storage/claims.js'
import type { Storage } from '../storage/open-storage.js'
import { documentLease, whileRemoving } from '../storage/removals.js'

type Collected = Pick<Storage, 'store' | 'tables' | 'blobs' | 'leases'>

export class Orphans {
  /** Unnamed blobs of living documents that the last pass saw. */
  private suspects: ReadonlySet<string> = new Set()

  constructor(private readonly storage: Collected) {}

  /** At start nobody else works here, so everything unnamed goes at once. Answers how many blobs went. */
  async collect({ isStart = false }: { readonly isStart?: boolean } = {}): Promise<number> {
    const suspects = new Set<string>()
    let removed = 0
    for await (const blob of this.storage.blobs.list()) {
      const owner = await this.storage.tables.documents.get([blob.tenant, blob.document])
      if (owner?.state === 'deleting' || owner?.state === 'pending') continue // Its sweep, or its upload, sees to it.
      if (owner && !isStart && !this.suspects.has(textOf(blob))) {
        if (!(await this.isNamed(blob))) suspects.add(textOf(blob))
      } else if (await this.removeUnnamed(blob)) removed += 1
    }
    this.suspects = suspects
    return removed
  }

  private async removeUnnamed(blob: BlobName): Promise<boolean> {
    const { leases, blobs } = this.storage
    if (await this.isNamed(blob)) return false
    return leases.hold(documentLease(blob.document), async () => {
      if (await this.isNamed(blob)) return false
      await whileRemoving(leases, () => blobs.remove(blob))
      return true
    })
  }

  private async isNamed({ tenant, document, name }: BlobName): Promise<boolean> {
    for await (const { blob } of claimsOf(this.storage.store, { tenant, document })) if (blob.name === name) return true
    return false
  }
}

const textOf = ({ tenant, document, name }: BlobName): string => `${tenant}/${document}/${name}`
