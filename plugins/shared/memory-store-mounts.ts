// Memory stores that sessions of an agent mount, for rules about them (agent configuration 2.14, 7.8).
import type { AgentBody } from '../kinds/agent-body.js'

/** Returns the distinct stores, named under `memory_stores` or by a resource. */
export function mountedStores({ memory_stores = [], resources = [] }: AgentBody): ReadonlySet<string> {
  const explicit = resources.flatMap((resource) => (resource.type === 'memory_store' ? [resource.memory_store] : []))
  return new Set([...memory_stores, ...explicit])
}

/** Yields resources whose store an earlier resource mounts. */
export function* repeatedStores({
  resources = [],
}: AgentBody): Iterable<{ readonly index: number; readonly name: string }> {
  const seen = new Set<string>()
  for (const [index, resource] of resources.entries()) {
    if (resource.type !== 'memory_store') continue
    if (seen.has(resource.memory_store)) yield { index, name: resource.memory_store }
    seen.add(resource.memory_store)
  }
}
