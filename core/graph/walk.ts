// Walks a dependency graph concurrently: a node starts as soon as its own dependencies are done, not level by level.

export interface WalkNode {
  /** Ids of nodes that must be done first; ids that are not nodes are taken as done. */
  readonly after: Iterable<string>
  /** Nodes of one group share a limit. */
  readonly group: string
}

export type WalkResult = 'done' | 'failed' | 'waiting'
export type WalkEnd = WalkResult | 'skipped' | 'interrupted'

export interface WalkOptions {
  /** Nodes of this group that may run at once. */
  limit(group: string): number
  /** Once aborted, nothing new starts; what runs is awaited. */
  readonly signal?: AbortSignal
  /** Must not reject. */
  run(id: string): Promise<WalkResult>
  /** Told once for every node that never ran; `because` is the dependency that stopped it. */
  onSkipped?(id: string, end: 'skipped' | 'waiting' | 'interrupted', because: string | undefined): void
}

/** How every node ended. A failed or waiting node stops its dependents and nothing else. */
export async function walk(
  nodes: ReadonlyMap<string, WalkNode>,
  options: WalkOptions,
): Promise<ReadonlyMap<string, WalkEnd>> {
  const ends = new Map<string, WalkEnd>()
  const dependents = new Map<string, string[]>()
  const open = new Map<string, number>()
  const ready = new Map<string, string[]>()
  const running = new Map<string, number>()

  for (const [id, { after }] of nodes) {
    const awaited = new Set([...after].filter((other) => nodes.has(other) && other !== id))
    open.set(id, awaited.size)
    for (const other of awaited) dependents.set(other, [...(dependents.get(other) ?? []), id])
  }

  return new Promise((resolve) => {
    const finish = (id: string, end: WalkEnd, because?: string) => {
      if (ends.has(id)) return
      ends.set(id, end)
      if (end === 'skipped' || end === 'interrupted') options.onSkipped?.(id, end, because)
      if (end === 'waiting' && because !== undefined) options.onSkipped?.(id, 'waiting', because)
      for (const dependent of dependents.get(id) ?? []) {
        if (end === 'done') release(dependent)
        else finish(dependent, end === 'failed' ? 'skipped' : end, id)
      }
    }
    const release = (id: string) => {
      const left = (open.get(id) ?? 0) - 1
      open.set(id, left)
      if (left === 0) enqueue(id)
    }
    const enqueue = (id: string) => {
      const group = nodes.get(id)?.group ?? ''
      const queue = ready.get(group)
      if (queue) queue.push(id)
      else ready.set(group, [id])
    }
    const pump = () => {
      if (options.signal?.aborted) interruptRest()
      for (const [group, queue] of ready) {
        while (queue.length > 0 && (running.get(group) ?? 0) < options.limit(group)) start(queue.shift() ?? '', group)
      }
      if (ends.size === nodes.size) resolve(ends)
    }
    const start = (id: string, group: string) => {
      if (ends.has(id)) return
      running.set(group, (running.get(group) ?? 0) + 1)
      void options.run(id).then((result) => {
        running.set(group, (running.get(group) ?? 1) - 1)
        finish(id, result)
        pump()
      })
    }
    const interruptRest = () => {
      for (const [group, queue] of ready) for (const id of queue.splice(0)) finish(id, 'interrupted', group)
      const isAnyRunning = [...running.values()].some((count) => count > 0)
      if (!isAnyRunning) for (const id of nodes.keys()) finish(id, 'interrupted')
    }

    for (const [id, count] of open) if (count === 0) enqueue(id)
    pump()
  })
}
