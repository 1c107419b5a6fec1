// Removes all data of a deleted tenant or document in bounded, idempotent steps, so that an interrupted sweep starts again.
// Its own row is removed only after the data is erased from the files of the store.
import { limits } from '../limits.js'
import type { SweepRow } from '../rows/sweep.js'
import { textOf } from '../storage/bytes.js'
import type { Key } from '../storage/keys.js'
import type { Storage } from '../storage/open-storage.js'
import { documentLease, whileRemoving } from '../storage/removals.js'
import type { AnyRowKind, OpenedRow } from '../storage/row-kind.js'
import { allRowKinds, rowKinds } from '../storage/row-kinds.js'
import type { Entry } from '../storage/store.js'
import type { Traces } from './traces.js'

export type SweepStorage = Pick<Storage, 'store' | 'tables' | 'blobs' | 'leases'>

interface Owner {
  readonly tenant: string
  readonly document?: string
}

/** Rows of the owners, removed last: they mark the owner as being deleted until then. */
const ownerKinds: readonly AnyRowKind[] = [rowKinds.documents, rowKinds.tenants]
const inside = allRowKinds.filter((kind) => !ownerKinds.includes(kind))

/**
 * Row kinds in order of removal: index rows are removed with the row they point to, and no row is removed before those
 * that refer to it (the key table lists them in reverse). Remaining index rows belong to damaged rows.
 */
const inOrder = [
  ...inside.filter(({ leads }) => !leads).reverse(),
  ...inside.filter(({ leads }) => leads),
  ...ownerKinds,
]

export async function sweep(swept: SweepStorage, { tenant, document }: SweepRow, traces: Traces): Promise<void> {
  const owner = { tenant, ...(document === null ? {} : { document }) }
  await untilUnused(swept, owner)
  // Blobs are removed before rows: a sweep resumes if rows name missing blobs, but blobs that no row names would
  // remain.
  await whileRemoving(swept.leases, () => swept.blobs.removeAll(owner))
  for (const kind of inOrder) await removeOwned(swept, kind, { owner, traces })
}

/** Waits for running changes, which then fail at their commit; what they wrote is removed with the rest. */
async function untilUnused({ leases, tables }: SweepStorage, { tenant, document }: Owner): Promise<void> {
  const documents = document === undefined ? tables.documents.keys([tenant]) : [[tenant, document] as const]
  for await (const [, id] of documents) await leases.hold(documentLease(id), async () => {})
}

async function removeOwned(
  { store, leases }: SweepStorage,
  kind: AnyRowKind,
  { owner, traces }: { readonly owner: Owner; readonly traces: Traces },
): Promise<void> {
  const range = kind.ownedBy(owner.tenant, owner.document)
  if (!range) return
  for (;;) {
    const entries: Entry[] = []
    for await (const entry of store.range({ ...range, limit: limits.sweepRowsMax })) entries.push(entry)
    if (entries.length === 0) return
    const keys = new Map(entries.flatMap((entry) => keysOf(kind, entry)).map((key) => [textOf(key), key]))
    traces.note([...keys.values()])
    // Prevents backups meanwhile: LevelDB retains removed rows for a running snapshot.
    await whileRemoving(leases, () => store.commit({ expect: [], put: [], delete: [...keys.values()] }))
  }
}

/** Returns the keys of the row and of index rows that point to it. */
function keysOf(kind: AnyRowKind, entry: Entry): readonly Key[] {
  return [entry.key, ...(opened(kind, entry)?.indexes ?? []).map(({ key }) => key)]
}

/** Returns undefined for a damaged row, which must not prevent a deletion; `--check` reports index rows left behind. */
function opened(kind: AnyRowKind, entry: Entry): OpenedRow | undefined {
  try {
    return kind.open(entry)
  } catch {
    return undefined
  }
}
