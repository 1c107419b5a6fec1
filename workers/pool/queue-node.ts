// One party in the tree of accounts: what waits for it, what runs for it, and how much time it has had. Time is virtual:
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
  /** Number of tasks of this party and all below it. */
  queued = 0
  inFlight = 0
  /** Those of `inFlight` that have run for so long that they do not count against the allowance. */
  slow = 0
  weight: number
  #servedMs: number
  /** Sum of the moments at which what runs was started: with it, the time had so far is known without a walk. */
  #startsMs = 0

  constructor(weight: number, servedMs = 0) {
    this.weight = weight
    this.#servedMs = servedMs
  }

  get isActive(): boolean {
    return this.queued > 0 || this.inFlight > 0
  }

  /** Virtual time had, tasks that still run included. */
  usedMs(nowMs: number): number {
    return this.#servedMs + (this.inFlight * nowMs - this.#startsMs) / this.weight
  }

  /** Nobody gathers time by wanting nothing. */
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

  /** The least virtual time of those that want any; of no one, the most that anybody has had. */
  floorMs(nowMs: number): number {
    const active = [...this.children.values()].filter((child) => child.isActive)
    const used = (active.length > 0 ? active : [...this.children.values()]).map((child) => child.usedMs(nowMs))
    if (used.length === 0) return 0
    return active.length > 0 ? Math.min(...used) : Math.max(...used)
  }

  /** Drops children that want nothing and are owed nothing. Debts are remembered, for so many at most. */
  prune(nowMs: number, rememberedMax: number): void {
    const floorMs = this.floorMs(nowMs)
    const isAlone = ![...this.children.values()].some((child) => child.isActive)
    for (const [name, child] of this.children) {
      if (child.isActive) continue
      if (isAlone || child.usedMs(nowMs) <= floorMs || this.children.size > rememberedMax) this.children.delete(name)
    }
  }
}
