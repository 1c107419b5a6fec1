// Reads the references between the objects of a file and stores them for later analyses.

import { writeReferences } from '../strict-reader/references/stored-references.js'
import { NotStrict } from '../strict-reader/strict-document.js'
import type { Job, OnDocument } from './job.js'
import { withStrict } from './strict-source.js'

/** The source is without edits. */
export interface ReferencesInput extends OnDocument {
  /** Path in the staging folder; must not exist. */
  readonly path: string
}

/** References that take up more than this, and than so many times the file, are not stored. */
const storedBytesMin = 1024 * 1024
const storedRatioMax = 8

/** The job writes no file if the structure of the PDF is ambiguous, or if its references are out of proportion. */
export const references: Job<ReferencesInput, { readonly isWritten: boolean }> = {
  kind: 'read',
  // Objects are read, and not the data of their streams.
  deadline: { constantMs: 20_000, perMegabyteMs: 200 },
  run({ source, path }) {
    try {
      return withStrict(source, ({ revisions, sizeBytes }) => {
        const references = revisions.at(-1)?.references()
        const maxBytes = Math.max(storedBytesMin, storedRatioMax * sizeBytes)
        const isWritten = references !== undefined && references.sizeBytes <= maxBytes
        if (isWritten) writeReferences(path, references, sizeBytes)
        return { isWritten }
      })
    } catch (error) {
      if (error instanceof NotStrict) return { isWritten: false }
      throw error
    }
  },
}
