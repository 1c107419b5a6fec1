// Computes the hash of a wanted part from the hashes of its leaves, which are keyed if the leaf is secret.

import type { Handler } from '../plugin/handler.js'
import { type LeafPath, leafKeys, leafPath } from '../value/tree.js'
import { type LeafHasher, partKeyOf } from './hasher.js'
import type { PlannedLeaf } from './plan.js'

export function partHash(hasher: LeafHasher, leaves: readonly Pick<PlannedLeaf, 'path' | 'afterHash'>[]): string {
  const within = (path: LeafPath) => leafPath(leafKeys(path).slice(2))
  return hasher.plain(
    leaves.map(({ path, afterHash }) => [within(path), afterHash]),
    { unordered: true },
  )
}

/** Groups leaves by the key of their part; leaves of the object itself are left out. */
export function leavesByPart(
  handler: Handler,
  leaves: readonly PlannedLeaf[],
): ReadonlyMap<string, readonly PlannedLeaf[]> {
  const byKey = new Map<string, PlannedLeaf[]>()
  for (const leaf of leaves) {
    const key = partKeyOf(handler, leaf.path)
    if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), leaf])
  }
  return byKey
}
