// The drawing of one annotation, as a PDF of one page (`doc.annotations.readAppearance`).
import type { Job, OnDocument } from '../job.js'
import { exportAppearances } from '../pdf/appearances/export-appearances.js'
import { Reading } from '../pdf/reading.js'
import type { AnnotationRef } from '../shapes/annotation-ref.js'
import type { Appearances } from './appearances.js'

export interface AppearanceInput extends OnDocument {
  readonly page: number
  readonly annotation: AnnotationRef
}

export const appearance: Job<AppearanceInput, Appearances> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 20 },
  run: ({ source, page, annotation }, { open, limits }) => ({
    bytes: exportAppearances(new Reading(open(source), limits.itemsMax), page, [annotation]),
  }),
}
