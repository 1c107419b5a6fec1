// Type of a job: a function over an open document (or a path) that runs in a worker thread. `jobs/index.ts` lists all jobs;
// the pool takes their names, inputs and answers from the types of that list.

import type { OpenDocument } from '../document/open-document.js'
import type { JobLimits } from '../limits.js'
import type { PdfSource } from '../messages/task.js'

export interface JobTools {
  /** Returns the cached copy, or opens a new one. The thread owns it; a job must not close it. */
  open(source: PdfSource): OpenDocument
  /** Removes the copy from the cache for a write job, which must destroy it or return it with `keep`. */
  take(source: PdfSource): OpenDocument
  /** Returns a copy to the cache, under the key of its new content. */
  keep(source: PdfSource, document: OpenDocument): void
  /** Limits of a job. There is no abort signal: a job that exceeds its deadline loses its thread. */
  readonly limits: JobLimits
}

export interface Job<Input extends OnDocument, Answer> {
  /** A read may run on any worker; the writes of one document run on its home worker, in order. */
  readonly kind: 'read' | 'write'
  /** Milliseconds of running time allowed: `constantMs` and `perMegabyteMs` for every megabyte of the source. */
  readonly deadline: { readonly constantMs: number; readonly perMegabyteMs: number }
  run(input: Input, tools: JobTools): Answer | Promise<Answer>
}

/** Members of every input. A job that fails twice is quarantined by source, `page` (object number) and `variant`. */
export interface OnDocument {
  readonly source: PdfSource
  readonly page?: number
  /** Variant of the job, which distinguishes requests of very different cost: size and kind of a picture. */
  readonly variant?: string
}

export type InputOf<J> = J extends Job<infer Input extends OnDocument, infer _Answer> ? Input : never
export type AnswerOf<J> = J extends Job<infer _Input extends OnDocument, infer Answer> ? Answer : never
