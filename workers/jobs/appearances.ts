// Exports the drawings of several annotations of a page as a PDF of one page, sized to their bounding rectangle
// (`doc.annotations.exportAppearance`).

import { exportAppearances } from '../annotations/appearances/export-appearances.js'
import type { AnnotationRef } from '../contract/annotation-ref.js'
import { Reading } from '../document/reading.js'
import { openShown } from '../flatten/shown-copy.js'
import { withShaping } from '../text/shaping/shaping-tools.js'
import type { Job, OnDocument } from './job.js'

export interface AppearancesInput extends OnDocument {
  readonly page: number
  readonly annotations: readonly AnnotationRef[]
}

export interface Appearances {
  /** Bytes of the PDF. */
  readonly bytes: Uint8Array
}

export const appearances: Job<AppearancesInput, Appearances> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 20 },
  run: async ({ source, page, annotations }, { open, limits }) => ({
    bytes: exportAppearances(
      new Reading(await withShaping(() => openShown(open, source, page)), limits.itemsMax),
      page,
      annotations,
    ),
  }),
}
