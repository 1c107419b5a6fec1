// Derives the keys for sensitive leaves before they are needed, in parallel, because each derivation takes tens of
// milliseconds.

import type { Resource } from '../graph/resource.js'
import type { Variables } from '../plugin/declaration.js'
import { canonical, leavesOf } from '../value/tree.js'
import { fieldOf, type LeafHasher } from './hasher.js'
import { resolveLeaf, type Values } from './values.js'

export async function warmHasher(
  hasher: LeafHasher,
  resources: Iterable<Resource>,
  variables: Variables,
): Promise<void> {
  const values: Values = { variables, output: () => '' }
  const sets = new Map<string, readonly string[]>()
  for (const { desired, handler } of resources) {
    for (const [path, value] of leavesOf(desired)) {
      const resolved = resolveLeaf(value, values)
      if (resolved.type !== 'known') continue
      const secrets =
        resolved.secrets.length > 0 ? resolved.secrets : fieldOf(handler, path).secret ? [canonical(value)] : []
      if (secrets.length > 0) sets.set(JSON.stringify(secrets), secrets)
    }
  }
  await Promise.all([...sets.values()].map((secrets) => hasher.keyed('', { unordered: false, secrets })))
}
