// Estimates which tasks take long, and limits how many of them run while other tasks arrive.
import type { QueuedTask } from './queued-task.js'
import type { RecentWork } from './recent-work.js'

export interface LongWorkBounds {
  /** Number of lanes. */
  readonly lanes: number
  /** Milliseconds above which a task counts as long. */
  readonly yieldMs: number
}

export class LongWork {
  readonly #recent: RecentWork
  readonly #bounds: LongWorkBounds

  constructor(recent: RecentWork, bounds: LongWorkBounds) {
    this.#recent = recent
    this.#bounds = bounds
  }

  /** True if the task probably takes long, judging by the last tasks of the same kind and account. */
  takesLong({ facts: { account, job } }: QueuedTask): boolean {
    return this.#recent.expectedMs(account, job) >= this.#bounds.yieldMs
  }

  /**
   * True if long tasks already use all processors but one. Pictures are encoded at normal priority, so a low priority
   * of the threads that draw them would not keep them from delaying others.
   */
  usesEnoughProcessors(running: ReadonlyMap<QueuedTask, { readonly startedAtMs: number }>, nowMs: number): boolean {
    const { lanes, yieldMs } = this.#bounds
    const long = [...running].filter(
      ([task, { startedAtMs }]) => this.takesLong(task) || nowMs - startedAtMs >= yieldMs,
    )
    return long.length >= Math.max(1, lanes - 1)
  }
}
