// Work that takes long, and how much of it may run while others come.
import type { QueuedTask } from './queued-task.js'
import type { RecentWork } from './recent-work.js'

export interface LongWorkBounds {
  /** Threads that serve everybody. */
  readonly lanes: number
  /** Tasks that take longer are long. */
  readonly yieldMs: number
}

export class LongWork {
  readonly #recent: RecentWork
  readonly #bounds: LongWorkBounds

  constructor(recent: RecentWork, bounds: LongWorkBounds) {
    this.#recent = recent
    this.#bounds = bounds
  }

  /** Judged by the last tasks of the same kind and account. */
  has({ facts: { account, job } }: QueuedTask): boolean {
    return this.#recent.expectedMs(account, job) >= this.#bounds.yieldMs
  }

  /**
   * Whether long work takes all processors but one already. Pictures are encoded at the priority of everything else, so a
   * low priority of the threads that draw them would not keep them out of the way of others.
   */
  takesEnough(running: ReadonlyMap<QueuedTask, { readonly startedAtMs: number }>, nowMs: number): boolean {
    const { lanes, yieldMs } = this.#bounds
    const long = [...running].filter(([task, { startedAtMs }]) => this.has(task) || nowMs - startedAtMs >= yieldMs)
    return long.length >= Math.max(1, lanes - 1)
  }
}
