// Key ranges that contained data of a deleted owner: the keys with its prefix, and the keys of index rows elsewhere, which
// contain values chosen by clients (public ids, idempotency keys).
import { limits } from '../limits.js'
import type { SweepRow } from '../rows/sweep.js'
import type { Key } from '../storage/keys.js'
import { type KeyRange, subtree } from '../storage/keys.js'
import { allRowKinds, rowKindOf } from '../storage/row-kinds.js'

export class Traces {
  /** Keys of index rows elsewhere; undefined if an earlier process removed some, or if they are too many to list. */
  private elsewhere: Key[] | undefined

  private constructor(
    private readonly owner: Pick<SweepRow, 'tenant' | 'document'>,
    elsewhere: Key[] | undefined,
  ) {
    this.elsewhere = elsewhere
  }

  static begun(owner: Pick<SweepRow, 'tenant' | 'document'>, removed: readonly Key[]): Traces {
    return new Traces(owner, [...removed])
  }

  static resumed(owner: Pick<SweepRow, 'tenant' | 'document'>): Traces {
    return new Traces(owner, undefined)
  }

  /** Adds keys that were removed. */
  note(keys: readonly Key[]): void {
    const { tenant, document } = this.owner
    const outside = keys.filter((key) => !rowKindOf(key)?.ownedBy(tenant, document ?? undefined))
    if ((this.elsewhere?.length ?? 0) + outside.length > limits.erasedKeysMax) this.elsewhere = undefined
    else this.elsewhere?.push(...outside)
  }

  ranges(): readonly KeyRange[] {
    return [...this.owned(), ...(this.elsewhere?.map(subtree) ?? this.allElsewhere())]
  }

  private owned(): readonly KeyRange[] {
    const { tenant, document } = this.owner
    return allRowKinds.flatMap((kind) => kind.ownedBy(tenant, document ?? undefined) ?? [])
  }

  private allElsewhere(): readonly KeyRange[] {
    const { tenant, document } = this.owner
    const outside = allRowKinds.filter((kind) => kind.leads && !kind.ownedBy(tenant, document ?? undefined))
    return outside.map((kind) => kind.ownedBy(tenant) ?? kind.all)
  }
}
