// Records of the processes that run on a store that several share, with the time of the store.
import { limits } from '../limits.js'

export interface ProcessRecord {
  readonly id: string
  /** Identity of the Redis that the process uses, or its own without one, see `settings/shared-redis.ts`. */
  readonly coordination: string
  /** Time at which the process was recorded first, in milliseconds by the clock of the store. */
  readonly joinedAtMs: number
  /** Time since the process was recorded last. */
  readonly silentMs: number
}

/** False for a process that records itself no more; also where the clock of the store was set back since. */
export const isRunning = ({ silentMs }: ProcessRecord): boolean => Math.abs(silentMs) < limits.processGoneMs

export interface ProcessRecords {
  /** Records a process, and returns the records of all. */
  record(id: string, coordination: string): Promise<readonly ProcessRecord[]>
  list(): Promise<readonly ProcessRecord[]>
  remove(id: string): Promise<void>
}
