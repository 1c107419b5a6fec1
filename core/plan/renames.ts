// Finds pairs of a resource that is no longer declared and a created one that are similar: probably the resource was
// renamed, and should be moved instead of destroyed.
import { marks } from '../graph/resource.js'
import type { Row } from '../state/row.js'
import { type Address, parseAddress } from '../value/address.js'
import { type LeafPath, leafKeys } from '../value/tree.js'
import { absentHash, baseOf, unknownHash } from './base.js'
import type { Change } from './plan.js'

/** Minimum number of equal leaves; fewer could be a coincidence. */
const equalLeavesMin = 2
/** Minimum length of a text that hardly occurs twice, in characters. */
const specificTextMin = 20

export interface LikelyRename {
  readonly from: Address
  readonly to: Address
}

/** Returns the likely renames. `orphans`: rows that are no longer declared, in scope or not. */
export function likelyRenames(
  changes: readonly Change[],
  orphans: Iterable<readonly [Address, Row]>,
): readonly LikelyRename[] {
  const created = changes.filter(({ action }) => action === 'create')
  const pairs = [...orphans].flatMap(([from, row]) => {
    const candidates = created.map((one) => ({ from, to: one.address, likeness: likenessOf(from, row, one) }))
    const equal = candidates.filter(({ likeness }) => likeness === 'equal')
    const similar = candidates.filter(({ likeness }) => likeness === 'similar')
    return equal.length === 1 ? equal : equal.length === 0 && similar.length === 1 ? similar : []
  })
  const isOnlyOne = ({ to }: LikelyRename) => pairs.filter((other) => other.to === to).length === 1
  return pairs.filter(isOnlyOne).map(({ from, to }) => ({ from, to }))
}

/** `similar`: most leaves are equal, and among them is a text that hardly occurs twice (instructions). */
function likenessOf(from: Address, row: Row, created: Change): 'equal' | 'similar' | undefined {
  const handler = created.resource?.handler
  const { provider, kind } = parseAddress(from)
  if (!handler || provider !== created.provider || kind !== created.kind) return undefined
  let [equal, different] = [0, 0]
  let isSpecific = false
  for (const { path, after, afterHash } of created.leaves) {
    const value = after.type === 'value' ? after.value : undefined
    if (afterHash === unknownHash || value === created.name) continue
    if ((baseOf(handler, row, path)?.desired ?? absentHash) !== afterHash) different++
    else {
      equal++
      isSpecific ||= typeof value === 'string' && value.length >= specificTextMin && !isMark(path)
    }
  }
  if (equal < equalLeavesMin) return undefined
  if (different === 0) return 'equal'
  return isSpecific && different < equal ? 'similar' : undefined
}

function isMark(path: LeafPath): boolean {
  return Object.values<string>(marks).includes(leafKeys(path).at(-1) ?? '')
}
