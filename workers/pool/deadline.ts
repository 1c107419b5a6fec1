// The deadline of a running task. It counts processor time of the task's thread, so that what other tasks take from it
// (their share of the processors, the priority of a thread beside the lanes) is not counted against a document.
import type { ThreadTime } from './thread-time.js'

export interface DeadlineFacts {
  readonly deadlineMs: number
  readonly threadTime: ThreadTime
  /** Null = the system has no number for the thread. */
  readonly systemId: number | null
  /** Elapsed time may be as many times as long before a task that got too little processor time is given up. */
  readonly patience: number
  /** The same where processor time is unknown: as many tasks as may share a processor. */
  readonly crowding: number
}

/** Part of the deadline after which the thread's time is first read; a task that ends sooner costs nothing. */
const firstLook = 1 / 20
const pauseMinMs = 5

/**
 * Returns what cancels it. `usedShare`: part of its time that the task had when it was given up; less than 1 where others
 * took the processor from it for too long.
 */
export function startDeadline(facts: DeadlineFacts, onEnd: (usedShare: number) => void): () => void {
  const { deadlineMs, threadTime, systemId, patience, crowding } = facts
  const startedAtMs = performance.now()
  const usedMs = (): number | undefined => (systemId === null ? undefined : threadTime.usedMs(systemId))
  let timer: NodeJS.Timeout
  const wait = (ms: number, then: () => void): void => {
    timer = setTimeout(then, ms)
  }
  const look = (): void => {
    const elapsedMs = performance.now() - startedAtMs
    const now = usedMs()
    // Up to here all of the time counts: it is little.
    if (now !== undefined) follow(now - elapsedMs)
    else wait(Math.max(0, deadlineMs * crowding - elapsedMs), () => onEnd(1))
  }
  const follow = (usedBeforeMs: number): void => {
    const leftMs = deadlineMs - ((usedMs() ?? Number.POSITIVE_INFINITY) - usedBeforeMs)
    const patienceMs = deadlineMs * patience - (performance.now() - startedAtMs)
    if (leftMs <= 0) onEnd(1)
    else if (patienceMs <= 0) onEnd(Math.max(0, 1 - leftMs / deadlineMs))
    else wait(Math.max(pauseMinMs, Math.min(leftMs, patienceMs)), () => follow(usedBeforeMs))
  }
  wait(deadlineMs * firstLook, look)
  return () => clearTimeout(timer)
}
