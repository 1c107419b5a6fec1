// Writes a layer as a new file of one revision (`doc.download` with the mode `rewrite`).
import type { FileDigest } from '../file/digest.js'
import { writeFreshCopy } from '../intake/fresh-copy.js'
import type { Job, OnDocument } from './job.js'

/** Input of the job. The source includes the images of its overlay, so no open copy of the layer is needed. */
export interface RewriteInput extends OnDocument {
  /** Path in the staging folder where the file is written; nothing is left there if the job fails. */
  readonly path: string
}

export const rewrite: Job<RewriteInput, FileDigest> = {
  kind: 'read',
  deadline: { constantMs: 15_000, perMegabyteMs: 150 },
  run: ({ source, path }) => writeFreshCopy(source, path),
}
