// The drawing of one annotation, as a PDF of one page (`doc.annotations.readAppearance`).
import { openShown } from '../changes/flatten/shown-copy.js'
import type { AnnotationRef } from '../contract/annotation-ref.js'
import type { Job, OnDocument } from '../job.js'
import { exportAppearances } from '../pdf/appearances/export-appearances.js'
import { withShaping } from '../pdf/forms/appearances/shaping/tools.js'
import { Reading } from '../pdf/reading.js'
import type { Appearances } from './appearances.js'

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
