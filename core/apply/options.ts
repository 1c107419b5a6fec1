// Options and result of an apply.
import type { Diagnostic } from '../diagnostic.js'
import type { EngineOptions } from '../plan/options.js'
import type { Outcome, Progress } from '../plan/plan.js'

export interface ApplyOptions extends EngineOptions {
  readonly onProgress?: (progress: Progress) => void
  /**
   * Aborts after the first Ctrl-C: no new step starts, and steps in flight are recorded. Those that have not ended after
   * five seconds are aborted as by `hardStop`.
   */
  readonly gentleStop?: AbortSignal
  /** Aborts after the second Ctrl-C: calls in flight are dropped, and the journal contains their intents. */
  readonly hardStop?: AbortSignal
  /** `destroy --cascade`: ends objects of others (sessions) that block a removal. */
  readonly cascade?: boolean
  /**
   * Time after which a change is aborted, without the time for readiness, which has its own limit. Default 10 minutes.
   */
  readonly changeDeadlineMs?: number
  /** Name of the command, recorded in the lock. Default `agents apply`. */
  readonly command?: string
}

export interface ApplyResult {
  readonly outcomes: readonly Outcome[]
  readonly wasInterrupted: boolean
  /** Problems that prevented state from recording everything (a full disk). The outcomes are valid nevertheless. */
  readonly unrecorded: readonly Diagnostic[]
}
