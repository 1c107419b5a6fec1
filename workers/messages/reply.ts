// What crosses the border between the pool and a thread, both ways.
import type { JobRefusalCode } from '../contract/job-refusal.js'

export type Request =
  | { readonly kind: 'describe' }
  /** `isJson`: the answer comes as a `JsonAnswer`. */
  | { readonly kind: 'run'; readonly job: string; readonly input: unknown; readonly isJson: boolean }

export type Outcome<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | {
      readonly kind: 'refusal'
      readonly code: JobRefusalCode
      readonly message: string
      readonly details: Readonly<Record<string, unknown>> | undefined
    }
  /** Errors that no job should throw: a bug, or a machine in trouble. */
  | { readonly kind: 'failure'; readonly message: string; readonly stack: string | undefined }
  /** The thread must not be used again. */
  | { readonly kind: 'trap'; readonly message: string }

export interface Reply<Answer> {
  readonly outcome: Outcome<Answer>
  /** WebAssembly memory of the thread after the task. */
  readonly heapBytes: number
}

/** Facts that the pool needs before it runs a job. */
export interface JobFacts {
  readonly kind: 'read' | 'write'
  readonly constantMs: number
  readonly perMegabyteMs: number
}

export type JobTable = Readonly<Record<string, JobFacts>>

/** How a thread introduces itself. */
export interface ThreadDescription {
  readonly jobs: JobTable
  /** The operating system's number of the thread, where it can be known; its priority is lowered by it. */
  readonly systemId: number | null
}
