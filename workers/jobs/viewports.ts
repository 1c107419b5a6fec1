// Lists the parts of a page with a scale of their own (`doc.pages.viewports`).

import type { PageViewports } from '../contract/viewport.js'
import { Reading } from '../document/reading.js'
import { readViewports } from '../pages/viewports.js'
import type { Job, OnDocument } from './job.js'

export interface ViewportsInput extends OnDocument {
  readonly page: number
}

export const viewports: Job<ViewportsInput, PageViewports> = {
  kind: 'read',
  deadline: { constantMs: 5_000, perMegabyteMs: 20 },
  run: ({ source, page }, { open, limits }) => readViewports(new Reading(open(source), limits.itemsMax), page),
}
