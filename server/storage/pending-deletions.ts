// Tenants and documents whose deletion is in progress. Their data is not readable, not part of backups, and may be
// incomplete without being damaged.
import { RowCorrupt } from './row-codec.js'
import type { AnyRowKind } from './row-kind.js'
import { rowKindOf, rowKinds } from './row-kinds.js'
import type { Entry, Store } from './store.js'

export class PendingDeletions {
  /** Internal ids of tenants and documents. */
  private constructor(private readonly subjects: ReadonlySet<string>) {}

  /** Reads the pending deletions at this moment; later ones are not included. */
  static async in(store: Store): Promise<PendingDeletions> {
    const subjects = new Set<string>()
    for await (const { key } of store.range(rowKinds.sweeps.all)) subjects.add(rowKinds.sweeps.parts(key)?.[0] ?? '')
    return new PendingDeletions(subjects)
  }

  /** True if the row belongs to a pending deletion, or points to a row that does. */
  has(entry: Entry): boolean {
    if (this.subjects.size === 0) return false
    const kind = rowKindOf(entry.key)
    if (!kind) return false
    const target = kind.leads ? targetOf(kind, entry) : undefined
    const owners = [...kind.ownersOf(entry.key), ...(target ? (rowKindOf(target)?.ownersOf(target) ?? []) : [])]
    return owners.some((owner) => this.subjects.has(owner))
  }

  owns({ tenant, document }: { readonly tenant: string; readonly document: string }): boolean {
    return this.subjects.has(tenant) || this.subjects.has(document)
  }
}

function targetOf(kind: AnyRowKind, entry: Entry) {
  try {
    return kind.open(entry)?.leadsTo?.key
  } catch (error) {
    if (error instanceof RowCorrupt) return undefined
    throw error
  }
}
