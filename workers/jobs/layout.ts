// The pages of a document: order, sizes, boxes, labels and names (`L/layout`).

import type { PageList } from '../contract/page-list.js'
import type { Job, OnDocument } from '../job.js'
import { readLayout } from '../pdf/layout.js'
import { Reading } from '../pdf/reading.js'

export const layout: Job<OnDocument, PageList> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 50 },
  run: ({ source }, { open, limits }) => readLayout(new Reading(open(source), limits.itemsMax)),
}
