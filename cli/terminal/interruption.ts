// Handles Ctrl-C: the first asks the work to end cleanly, the second ends it at once, and the third ends the process.
import { Stopping } from '../../core/apply/stopping.js'
import { type ExitCode, exitCode } from './exit-codes.js'

export interface Interruption {
  /** Aborts at the first signal of the system. */
  readonly gentle: AbortSignal
  /** Aborts at the second signal of the system. */
  readonly hard: AbortSignal
  /** Aborts at the second signal, or a short time after the first. */
  readonly stopped: AbortSignal
  /** Replaces the messages about an interruption, for a phase in which stopping has another effect. */
  reportBy(tell: ReportInterruption): void
}

/** Called at the first and at the second signal. */
export type ReportInterruption = (which: 'first' | 'second') => void

const signals = ['SIGINT', 'SIGTERM'] as const

/** Runs the work and passes SIGINT and SIGTERM on to it as abort signals. */
export async function interruptible(work: (interruption: Interruption) => Promise<ExitCode>): Promise<ExitCode> {
  const gentle = new AbortController()
  const hard = new AbortController()
  const stopping = new Stopping({ gentleStop: gentle.signal, hardStop: hard.signal })
  let tell: ReportInterruption = () => {}
  const take = () => {
    if (gentle.signal.aborted) {
      release()
      tell('second')
      hard.abort()
    } else {
      tell('first')
      gentle.abort()
    }
  }
  const release = () => {
    for (const signal of signals) process.off(signal, take)
  }
  for (const signal of signals) process.on(signal, take)
  try {
    return await work({
      gentle: gentle.signal,
      hard: hard.signal,
      stopped: stopping.signal,
      reportBy(next) {
        tell = next
      },
    })
  } catch (error) {
    const isOurs = gentle.signal.aborted && error instanceof Error && error.name === 'AbortError'
    if (isOurs) return exitCode.interrupted
    throw error
  } finally {
    release()
    stopping.end()
  }
}
