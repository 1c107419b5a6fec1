// Port of the clock, so that tests can control time.
import { setTimeout } from 'node:timers/promises'

export interface Clock {
  /** Returns milliseconds since 1970. */
  now(): number
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => void (await setTimeout(ms, undefined, signal ? { signal } : {})),
}
