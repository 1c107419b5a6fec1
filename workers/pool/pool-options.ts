// How a pool is set up: what an operator may choose, with the defaults.
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
}

export interface PoolOptions {
  /** Default: one for every core. */
  readonly threads?: number
  /** The built `thread.ts`; default: the one beside the program. */
  readonly thread?: URL
  readonly limits?: Partial<PoolLimits>
  readonly jobLimits?: Partial<JobLimits>
  /** Multiplies every deadline, for slow machines. Default 1. */
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
  /** Tasks that may share a processor, where the time of each is unknown. */
  readonly crowding: number
}

export function settingsOf(options: PoolOptions): PoolSettings {
  const { pixelsMax, textCharactersMax, itemsMax } = limits
  const threads = options.threads ?? availableParallelism()
  return {
    threads,
    thread: options.thread ?? builtThread(),
    limits: { ...limits, ...options.limits },
    jobLimits: { pixelsMax, textCharactersMax, itemsMax, ...options.jobLimits },
    deadlineFactor: options.deadlineFactor ?? 1,
    clock: options.clock ?? systemClock,
    threadTime: options.threadTime ?? systemThreadTime,
    crowding: Math.max(1, ((1 + limits.overtimePerWorkerMax) * threads) / availableParallelism()),
  }
}

/** The bundler moves this file, so the thread is found through the package's own map of names (`imports`). */
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
