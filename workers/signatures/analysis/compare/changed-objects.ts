// Objects that differ between two revisions. Only numbers that the later sections list are compared, so the cost grows
// with what was written later and not with the document.
import type { StrictDocument, StrictRevision } from '../../../strict-reader/strict-document.js'
import type { StrictValue } from '../../../strict-reader/values.js'
import { isSameValue } from './same-value.js'

export interface ChangedObject {
  readonly number: number
  /**
   * Kind of the change. `added`: the number was free, unknown or null before, so that references to it meant nothing;
   * `removed`: it is so now.
   */
  readonly kind: 'added' | 'modified' | 'removed'
  readonly before: StrictValue
  readonly after: StrictValue
  /** The number is in use before and after, under different generations. */
  readonly isRenumbered: boolean
}

export interface ChangedObjects {
  readonly changes: ReadonlyMap<number, ChangedObject>
  /** Numbers that revisions in between changed, and whose objects are as before. */
  readonly undone: readonly number[]
  /** Numbers that the later sections list, in order, except those whose entry is exactly the same as before. */
  readonly listed: readonly number[]
}

export function changedObjects(document: StrictDocument, since: StrictRevision, until: StrictRevision): ChangedObjects {
  const between = document.revisions.slice(since.index + 1, until.index + 1)
  const listed = [...new Set(between.flatMap((revision) => [...revision.listed]))]
    .filter((number) => between.some((revision) => !revision.sharesEntry(number, since)))
    .sort((a, b) => a - b)
  const changes = new Map<number, ChangedObject>()
  const undone: number[] = []
  for (const number of listed) {
    const change = changeOf(document, number, since, until)
    if (change !== undefined) changes.set(number, change)
    else if (between.slice(0, -1).some((revision) => changeOf(document, number, since, revision) !== undefined)) {
      undone.push(number)
    }
  }
  return { changes, undone, listed }
}

function changeOf(
  document: StrictDocument,
  number: number,
  since: StrictRevision,
  until: StrictRevision,
): ChangedObject | undefined {
  const [old, now] = [since.generationOf(number), until.generationOf(number)]
  if (old === undefined && now === undefined) return undefined
  const before = old === undefined ? null : since.object({ number, generation: old })
  const after = now === undefined ? null : until.object({ number, generation: now })
  const isRenumbered = old !== undefined && now !== undefined && old !== now
  if (!isRenumbered && isSameValue(document, before, after)) return undefined
  const kind = before === null ? 'added' : after === null ? 'removed' : 'modified'
  return { number, kind, before, after, isRenumbered }
}
