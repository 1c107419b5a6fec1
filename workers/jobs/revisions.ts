// Finds the ends of a file's revisions (`doc.versions.revision`): revision n is the part before the n-th end.

import { revisionEnds } from '../file/revisions.js'
import type { Job, OnDocument } from './job.js'

export interface Revisions {
  /** Oldest first, in bytes from the start of the file. */
  readonly ends: readonly number[]
}

export const revisions: Job<OnDocument, Revisions> = {
  kind: 'read',
  deadline: { constantMs: 5_000, perMegabyteMs: 50 },
  run: ({ source }) => ({ ends: revisionEnds(source.path) }),
}
