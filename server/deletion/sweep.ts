// Removes everything of a deleted tenant or document in bounded steps. Each step is safe to repeat, so a sweep that was
// interrupted anywhere just begins again; its own row is the last to go.
import { limits } from '../limits.js'
import type { SweepRow } from '../rows/sweep.js'
import { textOf } from '../storage/bytes.js'
import type { Storage } from '../storage/open-storage.js'
import { whileRemoving } from '../storage/removals.js'
import type { AnyRowKind, OpenedRow } from '../storage/row-kind.js'
import { allRowKinds, rowKinds } from '../storage/row-kinds.js'
import type { Entry, Key } from '../storage/store.js'

export type Swept = Pick<Storage, 'store' | 'tables' | 'blobs' | 'leases'>

/** The rows of the owners themselves stay until nothing else is left: they tell readers that they are being deleted. */
const ownerKinds: readonly AnyRowKind[] = [rowKinds.documents, rowKinds.tenants]

export async function sweep(swept: Swept, subject: string, { tenant, document }: SweepRow): Promise<void> {
  const owner = { tenant, ...(document === null ? {} : { document }) }
  // Blobs first: rows that name missing blobs are swept again, blobs that no row names would be litter.
  await whileRemoving(swept.leases, () => swept.blobs.removeAll(owner))
  const inside = allRowKinds.filter((kind) => !ownerKinds.includes(kind))
  for (const kind of [...inside, ...ownerKinds]) await removeOwned(swept, kind, owner)
  const job = rowKinds.sweeps.key([subject])
  await swept.store.commit({ expect: [], put: [], delete: [job] })
}

async function removeOwned(
  { store }: Swept,
  kind: AnyRowKind,
  { tenant, document }: { readonly tenant: string; readonly document?: string },
): Promise<void> {
  const range = kind.ownedBy(tenant, document)
  if (!range) return
  for (;;) {
    const entries: Entry[] = []
    for await (const entry of store.range({ ...range, limit: limits.sweepRowsMax })) entries.push(entry)
    if (entries.length === 0) return
    const keys = new Map(entries.flatMap((entry) => keysOf(kind, entry)).map((key) => [textOf(key), key]))
    await store.commit({ expect: [], put: [], delete: [...keys.values()] })
  }
}

/** The row and the rows that lead to it. */
function keysOf(kind: AnyRowKind, entry: Entry): readonly Key[] {
  return [entry.key, ...(opened(kind, entry)?.indexes ?? []).map(({ key }) => key)]
}

/** A damaged row must not keep a deletion from ending; what led to it is found by `--check`. */
function opened(kind: AnyRowKind, entry: Entry): OpenedRow | undefined {
  try {
    return kind.open(entry)
  } catch {
    return undefined
  }
}
