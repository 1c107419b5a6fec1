// Reads the processor time of one thread, which is independent of other load of the machine.
import { readFileSync } from 'node:fs'

const nanosecondsPerMs = 1_000_000

export interface ThreadTime {
  /** Returns milliseconds since the thread was started; undefined if the system does not report them. */
  usedMs(systemId: number): number | undefined
}

export const systemThreadTime: ThreadTime = {
  usedMs(systemId) {
    try {
      // The fields are: time on a processor, time in the run queue, number of time slices.
      const [used] = readFileSync(`/proc/self/task/${systemId}/schedstat`, 'utf8').split(' ')
      const usedMs = Number(used) / nanosecondsPerMs
      // A thread that loaded its engine has used some time: zero means that the system does not count it.
      return usedMs > 0 ? usedMs : undefined
    } catch {
      return undefined
    }
  },
}
