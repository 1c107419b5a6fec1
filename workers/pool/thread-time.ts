// Processor time of one thread: what a task has really used, however many others the machine was busy with.
import { readFileSync } from 'node:fs'

const nanosecondsPerMs = 1_000_000

export interface ThreadTime {
  /** Milliseconds since the thread was started; undefined where the system does not report it. */
  usedMs(systemId: number): number | undefined
}

export const systemThreadTime: ThreadTime = {
  usedMs(systemId) {
    try {
      // Time on a processor, time in the run queue, slices.
      const [used] = readFileSync(`/proc/self/task/${systemId}/schedstat`, 'utf8').split(' ')
      const usedMs = Number(used) / nanosecondsPerMs
      // A thread that loaded its engine has used some: systems that do not count report zero.
      return usedMs > 0 ? usedMs : undefined
    } catch {
      return undefined
    }
  },
}
