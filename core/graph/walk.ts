// Walks a dependency graph concurrently: a node starts as soon as its own dependencies are done, not level by level.

export interface WalkNode {
  /** Ids of nodes that must be done first; ids without a node count as done. */
  readonly after: Iterable<string>
  /** Group of the node. Nodes of one group share a limit. */
  readonly group: string
}

export type WalkResult = 'done' | 'failed' | 'waiting'
export type WalkEnd = WalkResult | 'skipped' | 'interrupted'

export interface WalkOptions {
  /** Returns how many nodes of this group may run at the same time, at least 1. */
  limit(group: string): number
  /** Signal after which no node starts; running nodes are awaited. */
  readonly signal?: AbortSignal
  /**
   * Runs a node. A failure of its work is a result. The first rejection ends the walk, after the nodes in flight have
   * ended.
   */
  run(id: string): Promise<WalkResult>
  /** Called once for every node that never ran; `because` is the dependency that prevented it. */
  onSkipped?(id: string, end: 'skipped' | 'waiting' | 'interrupted', because: string | undefined): void
}

/** Runs all nodes and returns the result of each. A failed or waiting node stops its dependents and nothing else. */
export function walk(
  nodes: ReadonlyMap<string, WalkNode>,
  options: WalkOptions,
): Promise<ReadonlyMap<string, WalkEnd>> {
  return new Promise((resolve, reject) => new Walk(nodes, options, { resolve, reject }).start())
}

interface Settle {
  resolve(ends: ReadonlyMap<string, WalkEnd>): void
  reject(reason: unknown): void
}

class Walk {
  private readonly ends = new Map<string, WalkEnd>()
  private readonly dependents = new Map<string, string[]>()
  /** Open dependencies by node. */
  private readonly open = new Map<string, number>()
  /** Nodes that may start, by group, in the order in which they became ready. */
  private readonly ready = new Map<string, string[]>()
  private readonly running = new Map<string, number>()
  private runningInAll = 0
  private broken: { readonly error: unknown } | undefined

  constructor(
    private readonly nodes: ReadonlyMap<string, WalkNode>,
    private readonly options: WalkOptions,
    private readonly settle: Settle,
  ) {
    for (const [id, { after, group }] of nodes) {
      const awaited = [...new Set(after)].filter((other) => nodes.has(other) && other !== id)
      this.open.set(id, awaited.length)
      for (const other of awaited) listIn(this.dependents, other).push(id)
      if (awaited.length === 0) listIn(this.ready, group).push(id)
    }
  }

  start(): void {
    this.pump()
  }

  /** Starts every node that may start, and ends the walk when all have ended. */
  private pump(): void {
    if (this.broken) {
      if (this.runningInAll === 0) this.settle.reject(this.broken.error)
      return
    }
    if (this.options.signal?.aborted) this.interruptWaiting()
    for (const [group, queue] of this.ready) {
      while (queue.length > 0 && this.runningIn(group) < this.options.limit(group)) this.run(queue.shift() ?? '', group)
    }
    if (this.ends.size === this.nodes.size) this.settle.resolve(this.ends)
    else if (this.runningInAll === 0) this.settle.reject(this.deadlock())
  }

  private run(id: string, group: string): void {
    this.running.set(group, this.runningIn(group) + 1)
    this.runningInAll++
    this.options
      .run(id)
      .then(
        (result) => {
          this.leave(group)
          this.end(id, result)
        },
        (error: unknown) => {
          this.leave(group)
          this.broken ??= { error }
        },
      )
      .then(() => this.pump())
      .catch((error: unknown) => this.settle.reject(error))
  }

  private leave(group: string): void {
    this.running.set(group, this.runningIn(group) - 1)
    this.runningInAll--
  }

  private runningIn(group: string): number {
    return this.running.get(group) ?? 0
  }

  /** Records the result of a node and of all dependents that can no longer run. */
  private end(id: string, end: WalkEnd): void {
    this.ends.set(id, end)
    if (end === 'done') {
      for (const dependent of this.dependents.get(id) ?? []) this.release(dependent)
      return
    }
    const consequence = end === 'failed' ? 'skipped' : end
    const stopped = [id]
    for (let because = stopped.pop(); because !== undefined; because = stopped.pop()) {
      for (const dependent of this.dependents.get(because) ?? []) {
        if (this.ends.has(dependent)) continue
        this.ends.set(dependent, consequence)
        this.options.onSkipped?.(dependent, consequence, because)
        stopped.push(dependent)
      }
    }
  }

  private release(id: string): void {
    const left = (this.open.get(id) ?? 0) - 1
    this.open.set(id, left)
    if (left === 0) listIn(this.ready, this.nodes.get(id)?.group ?? '').push(id)
  }

  private interruptWaiting(): void {
    for (const queue of this.ready.values()) {
      for (const id of queue.splice(0)) {
        this.options.onSkipped?.(id, 'interrupted', undefined)
        this.end(id, 'interrupted')
      }
    }
  }

  /** Error for a cycle or a limit of zero, with which the walk would wait for ever. */
  private deadlock(): Error {
    const left = [...this.nodes.keys()].filter((id) => !this.ends.has(id))
    return new Error(`walk: these can never start: ${left.join(', ')}`)
  }
}

function listIn(lists: Map<string, string[]>, key: string): string[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
