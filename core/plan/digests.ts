// Digests of the local files that a plan was made from, with which a later apply can name the changed file.
import type { Resource } from '../graph/resource.js'

export function digestsOf(resources: Iterable<Resource>): ReadonlyMap<string, string> {
  const digests = new Map<string, string>()
  for (const { declaration } of resources)
    for (const { unexpanded, written, sha256 } of declaration.sources.values())
      digests.set(unexpanded ?? written, sha256)
  return new Map([...digests].sort(([a], [b]) => (a < b ? -1 : 1)))
}
