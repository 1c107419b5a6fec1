// Options and result of an apply.
import type { Diagnostic } from '../diagnostic.js'
import type { EngineOptions } from '../plan/options.js'
import type { Outcome, Progress } from '../plan/plan.js'

export interface ApplyOptions extends EngineOptions {
  readonly onProgress?: (progress: Progress) => void
  /** Aborts after the first Ctrl-C: nothing new starts, what is in flight is finished and recorded. */
  readonly gentleStop?: AbortSignal
  /** Aborts after the second: calls are dropped; the journal covers them. */
  readonly hardStop?: AbortSignal
  /** `destroy --cascade`: end what is not ours and blocks a removal. */
  readonly cascade?: boolean
  /** A change that takes longer is given up; what has to become ready gets its own time on top. Default 10 minutes. */
  readonly changeDeadlineMs?: number
  /** Name of the command, recorded in the lock. Default `agents apply`. */
  readonly command?: string
}

export interface ApplyResult {
  readonly outcomes: readonly Outcome[]
  readonly wasInterrupted: boolean
  /** Why state could not take up all of it (a full disk); the outcomes hold nevertheless. */
  readonly unrecorded: readonly Diagnostic[]
}
