// Finds pairs of a removed and a created resource that are similar: probably the resource was renamed, and should be
// moved instead of destroyed.
import type { Address } from '../value/address.js'
import { absentHash, baseOf, unknownHash } from './base.js'
import type { Change } from './plan.js'

/** Minimum number of equal leaves; fewer could be a coincidence. */
const equalLeavesMin = 2

export function likelyRenames(changes: readonly Change[]): readonly { readonly from: Address; readonly to: Address }[] {
  const created = changes.filter(({ action }) => action === 'create')
  return changes
    .filter(({ action }) => action === 'remove')
    .flatMap((removed) => {
      const twins = created.filter((candidate) => areTwins(removed, candidate))
      return twins.length === 1 && twins[0] ? [{ from: removed.address, to: twins[0].address }] : []
    })
}

function areTwins(removed: Change, created: Change): boolean {
  const handler = created.resource?.handler
  if (!handler || removed.provider !== created.provider || removed.kind !== created.kind) return false
  let equal = 0
  for (const { path, after, afterHash } of created.leaves) {
    if (afterHash === unknownHash || (after.type === 'value' && after.value === created.name)) continue
    const base = baseOf(handler, removed.row, path)
    if ((base?.desired ?? absentHash) !== afterHash) return false
    equal++
  }
  return equal >= equalLeavesMin
}
