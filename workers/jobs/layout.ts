// Reads order, sizes, boxes, labels and names of a document's pages (`L/layout`).

import type { PageList } from '../contract/page-list.js'
import { Reading } from '../document/reading.js'
import { readLayout } from '../pages/layout.js'
import type { Job, OnDocument } from './job.js'

export const layout: Job<OnDocument, PageList> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 50 },
  run: ({ source }, { open, limits }) => readLayout(new Reading(open(source), limits.itemsMax)),
}
