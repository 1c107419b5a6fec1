// One party in the tree of accounts: its queued tasks, its tasks in flight, and its used time. Time is virtual:
// measured milliseconds divided by the weight of the party, so that equal times are fair shares.

export interface QueueEntry<Task> {
  readonly task: Task
  /** Path from the tenant to the party whose queue has the task. */
  readonly path: readonly QueueNode<Task>[]
  startedAtMs: number
  isSlow: boolean
}

export class QueueNode<Task> {
  readonly children = new Map<string, QueueNode<Task>>()
  readonly waiting: QueueEntry<Task>[] = []
  /** Number of queued tasks of this party and its descendants. */
  queued = 0
  inFlight = 0
  /** Number of long-running tasks in `inFlight`, which do not count against the allowance. */
  slow = 0
  weight: number
  #servedMs: number
  /** Sum of start times of running tasks, from which the used time follows without a walk. */
  #startsMs = 0

  constructor(weight: number, servedMs = 0) {
    this.weight = weight
    this.#servedMs = servedMs
  }

  get isActive(): boolean {
    return this.queued > 0 || this.inFlight > 0
  }

  /** Returns the used virtual time, running tasks included. */
  usedMs(nowMs: number): number {
    return this.#servedMs + (this.inFlight * nowMs - this.#startsMs) / this.weight
  }

  /** Raises the used time to the floor, so that idle parties do not accumulate credit. */
  catchUp(floorMs: number): void {
    if (!this.isActive) this.#servedMs = Math.max(this.#servedMs, floorMs)
  }

  begin(nowMs: number): void {
    this.inFlight += 1
    this.#startsMs += nowMs
  }

  finish({ startedAtMs, isSlow }: QueueEntry<Task>, nowMs: number): void {
    this.inFlight -= 1
    this.#startsMs -= startedAtMs
    this.#servedMs += (nowMs - startedAtMs) / this.weight
    if (isSlow) this.slow -= 1
  }

  /** Returns the least virtual time of active children; without any, the greatest of all children. */
  floorMs(nowMs: number): number {
    const active = [...this.children.values()].filter((child) => child.isActive)
    const used = (active.length > 0 ? active : [...this.children.values()]).map((child) => child.usedMs(nowMs))
    if (used.length === 0) return 0
    return active.length > 0 ? Math.min(...used) : Math.max(...used)
  }

  /** Removes idle children without debt. Debts of at most `rememberedMax` idle children are retained. */
  prune(nowMs: number, rememberedMax: number): void {
    const floorMs = this.floorMs(nowMs)
    const isAlone = ![...this.children.values()].some((child) => child.isActive)
    for (const [name, child] of this.children) {
      if (child.isActive) continue
      if (isAlone || child.usedMs(nowMs) <= floorMs || this.children.size > rememberedMax) this.children.delete(name)
    }
  }
}
