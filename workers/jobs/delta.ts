// Writes the edits of a layer as one update section, which is sent after the file.

import { JobRefusal } from '../contract/job-refusal.js'
import { sentSection } from '../file/section/layer-section.js'
import { writePieces } from '../file/section/section-pieces.js'
import type { Job, OnDocument } from './job.js'

/** Input of the job. The source includes the images of its overlay, so no open copy of the layer is needed. */
export interface DeltaInput extends OnDocument {
  /** Path in the staging folder where the section is written; must not exist. */
  readonly path: string
}

export interface Delta {
  readonly sizeBytes: number
  /** SHA-256 of the section alone. The same edits over the same file result in the same bytes. */
  readonly sha256: string
}

export const delta: Job<DeltaInput, Delta> = {
  kind: 'read',
  deadline: { constantMs: 15_000, perMegabyteMs: 50 },
  run({ source, path }) {
    const { images } = source.overlay ?? {}
    if (images === undefined) throw new JobRefusal('OverlayWanted', 'The edits of the layer are required')
    const { pieces, sizeBytes } = sentSection(source, images)
    return { sizeBytes, sha256: writePieces(path, pieces) }
  },
}
