// The deadline of a running task. It counts processor time of the task's thread, so that time taken by other tasks
// (because of shared processors or a low priority) is not charged to a document.
import type { ThreadTime } from './thread-time.js'

export interface DeadlineFacts {
  readonly deadlineMs: number
  readonly threadTime: ThreadTime
  /** The operating system's id of the thread; null if unknown. */
  readonly systemId: number | null
  /** Maximum elapsed time of a task that gets too little processor time, as a multiple of the deadline. */
  readonly elapsedFactor: number
  /**
   * Number of tasks that may share a processor: the maximum elapsed time, as a multiple of the deadline, if processor
   * time is unknown.
   */
  readonly sharingFactor: number
}

/** Share of the deadline after which the thread's time is first read, so that shorter tasks cost nothing. */
const firstReading = 1 / 20
const pauseMinMs = 5

/**
 * Starts a deadline and returns a function that cancels it. `usedShare`: share of its time that the task had received
 * at the end; less than 1 if others took the processor from it for too long.
 */
export function startDeadline(facts: DeadlineFacts, onEnd: (usedShare: number) => void): () => void {
  const { deadlineMs, threadTime, systemId, elapsedFactor, sharingFactor } = facts
  const startedAtMs = performance.now()
  const usedMs = (): number | undefined => (systemId === null ? undefined : threadTime.usedMs(systemId))
  let timer: NodeJS.Timeout
  const wait = (ms: number, then: () => void): void => {
    timer = setTimeout(then, ms)
  }
  const readFirst = (): void => {
    const elapsedMs = performance.now() - startedAtMs
    const now = usedMs()
    // All elapsed time until now counts as processor time; it is little.
    if (now !== undefined) check(now - elapsedMs)
    else wait(Math.max(0, deadlineMs * sharingFactor - elapsedMs), () => onEnd(1))
  }
  const check = (usedBeforeMs: number): void => {
    const leftMs = deadlineMs - ((usedMs() ?? Number.POSITIVE_INFINITY) - usedBeforeMs)
    const elapsedLeftMs = deadlineMs * elapsedFactor - (performance.now() - startedAtMs)
    if (leftMs <= 0) onEnd(1)
    else if (elapsedLeftMs <= 0) onEnd(Math.max(0, 1 - leftMs / deadlineMs))
    else wait(Math.max(pauseMinMs, Math.min(leftMs, elapsedLeftMs)), () => check(usedBeforeMs))
  }
  wait(deadlineMs * firstReading, readFirst)
  return () => clearTimeout(timer)
}
