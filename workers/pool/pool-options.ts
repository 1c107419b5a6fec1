// Options of a pool that an operator may set, with their defaults.
import { availableParallelism } from 'node:os'
import { type Clock, systemClock } from '../../core/ports/clock.js'
import { type JobLimits, limits } from '../limits.js'
import type { FairQueueBounds } from './fair-queue.js'
import { systemThreadTime, type ThreadTime } from './thread-time.js'

export interface PoolLimits {
  readonly queuedTasksMax: number
  readonly engineBytesMax: number
  readonly heapBytesMax: number
  readonly threadTasksMax: number
  readonly threadStartMs: number
  readonly slowTaskMs: number
  readonly yieldMs: number
  readonly strikesMax: number
  readonly quarantineMs: number
  readonly probeMs: number
  readonly deadlineElapsedFactor: number
}

export interface PoolOptions {
  /** Number of lanes. Default: one for every core. */
  readonly threads?: number
  /** URL of the built `thread.ts`. Default: the one beside the program. */
  readonly thread?: URL
  readonly limits?: Partial<PoolLimits>
  readonly jobLimits?: Partial<JobLimits>
  /** Factor by which every deadline is multiplied, for slow machines. Default 1. */
  readonly deadlineFactor?: number
  readonly clock?: Clock
  readonly threadTime?: ThreadTime
}

export interface PoolSettings {
  readonly threads: number
  readonly thread: URL
  readonly limits: PoolLimits
  readonly jobLimits: JobLimits
  readonly deadlineFactor: number
  readonly clock: Clock
  readonly threadTime: ThreadTime
  /** Number of tasks that may share a processor, if processor times are unknown. */
  readonly sharingFactor: number
}

export function settingsOf(options: PoolOptions): PoolSettings {
  const { pixelsMax, textCharactersMax, glyphsMax, itemsMax } = limits
  const threads = options.threads ?? availableParallelism()
  return {
    threads,
    thread: options.thread ?? builtThread(),
    limits: { ...limits, ...options.limits },
    jobLimits: { pixelsMax, textCharactersMax, glyphsMax, itemsMax, ...options.jobLimits },
    deadlineFactor: options.deadlineFactor ?? 1,
    clock: options.clock ?? systemClock,
    threadTime: options.threadTime ?? systemThreadTime,
    sharingFactor: Math.max(1, ((1 + limits.overtimePerWorkerMax) * threads) / availableParallelism()),
  }
}

/** Returns the URL of the thread's program from the package's `imports`, because the bundler moves this file. */
function builtThread(): URL {
  return new URL(import.meta.resolve('#worker-thread'))
}

/** Returns the maximum numbers of tasks that the queue of a pool holds and begins. */
export function queueBoundsOf({ threads, limits: { queuedTasksMax } }: PoolSettings): FairQueueBounds {
  const tenantQueuedMax = queuedTasksMax * threads
  return {
    tenantQueuedMax,
    queuedMax: tenantQueuedMax * limits.fullQueuesMax,
    allowance: threads,
    tenantInFlightMax: threads + Math.max(1, Math.floor(threads / 2)),
  }
}
