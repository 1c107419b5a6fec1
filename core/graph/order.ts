// Finds a topological order, or the cycle that prevents it.

export type Order =
  | { readonly type: 'order'; readonly ids: readonly string[] }
  /** The ids on the cycle in order; the first one is repeated at the end. */
  | { readonly type: 'cycle'; readonly path: readonly string[] }

/** Orders dependencies before dependents, and otherwise as in `nodes`. Unknown dependencies are ignored. */
export function orderOf(nodes: ReadonlyMap<string, Iterable<string>>): Order {
  const ids: string[] = []
  const settled = new Set<string>()
  for (const root of nodes.keys()) {
    if (settled.has(root)) continue
    const trail: { id: string; rest: Iterator<string> }[] = []
    const onTrail = new Set<string>()
    const enter = (id: string) => {
      trail.push({ id, rest: (nodes.get(id) ?? [])[Symbol.iterator]() })
      onTrail.add(id)
    }
    enter(root)
    for (let top = trail.at(-1); top; top = trail.at(-1)) {
      const next = top.rest.next()
      if (next.done) {
        trail.pop()
        onTrail.delete(top.id)
        settled.add(top.id)
        ids.push(top.id)
      } else if (onTrail.has(next.value)) {
        const path = trail.map(({ id }) => id)
        return { type: 'cycle', path: [...path.slice(path.indexOf(next.value)), next.value] }
      } else if (nodes.has(next.value) && !settled.has(next.value)) {
        enter(next.value)
      }
    }
  }
  return { type: 'order', ids }
}
