// Exports the drawing of one annotation as a PDF of one page (`doc.annotations.readAppearance`).

import { exportAppearances } from '../annotations/appearances/export-appearances.js'
import type { AnnotationRef } from '../contract/annotation-ref.js'
import { Reading } from '../document/reading.js'
import { openShown } from '../flatten/shown-copy.js'
import { withShaping } from '../text/shaping/shaping-tools.js'
import type { Appearances } from './appearances.js'
import type { Job, OnDocument } from './job.js'

export interface AppearanceInput extends OnDocument {
  readonly page: number
  readonly annotation: AnnotationRef
}

export const appearance: Job<AppearanceInput, Appearances> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 20 },
  run: async ({ source, page, annotation }, { open, limits }) => ({
    bytes: exportAppearances(
      new Reading(await withShaping(() => openShown(open, source, page)), limits.itemsMax),
      page,
      [annotation],
    ),
  }),
}
