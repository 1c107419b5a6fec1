// Finds the ends of a file's revisions (`doc.versions.revision`): revision n is the part before the n-th end.

import { NotStrict } from '../strict-reader/strict-document.js'
import type { Job, OnDocument } from './job.js'
import { withStrict } from './strict-source.js'

export interface Revisions {
  /** Ends of the revisions, oldest first, in bytes from the start of the file. */
  readonly ends: readonly number[]
}

/** Finds the ends. A file whose structure is not certain has a single revision. */
export const revisions: Job<OnDocument, Revisions> = {
  kind: 'read',
  deadline: { constantMs: 5_000, perMegabyteMs: 50 },
  run({ source }) {
    try {
      return { ends: withStrict(source, (document) => document.revisions.map(({ end }) => end)) }
    } catch (error) {
      if (error instanceof NotStrict) return { ends: [source.sizeBytes] }
      throw error
    }
  },
}
