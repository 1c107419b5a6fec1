// Messages between the pool and a thread, in both directions.
import type { JobRefusalCode } from '../contract/job-refusal.js'

export type Request =
  | { readonly kind: 'describe' }
  /** `isJson`: the answer is returned as a `JsonAnswer`. */
  | { readonly kind: 'run'; readonly job: string; readonly input: unknown; readonly isJson: boolean }

export type Outcome<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | {
      readonly kind: 'refusal'
      readonly code: JobRefusalCode
      readonly message: string
      readonly details: Readonly<Record<string, unknown>> | undefined
    }
  /** Failure of a job by an unexpected error: a bug, or a machine in trouble. */
  | {
      readonly kind: 'failure'
      readonly message: string
      readonly stack: string | undefined
      /** Error code of the operating system (`ENOSPC`). */
      readonly code: string | undefined
    }
  /** Failure after which the thread must not be used again. */
  | { readonly kind: 'trap'; readonly message: string }

export interface Reply<Answer> {
  readonly outcome: Outcome<Answer>
  /** WebAssembly memory of the thread after the task. */
  readonly heapBytes: number
}

/** Properties of a job that the pool needs before running it. */
export interface JobFacts {
  readonly kind: 'read' | 'write'
  readonly constantMs: number
  readonly perMegabyteMs: number
}

export type JobTable = Readonly<Record<string, JobFacts>>

/** First message of a thread. */
export interface ThreadDescription {
  readonly jobs: JobTable
  /** The operating system's id of the thread, null if unknown; used to lower its priority. */
  readonly systemId: number | null
}
