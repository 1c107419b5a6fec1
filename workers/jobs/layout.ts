// The pages of a document: order, sizes, boxes, labels and names (`L/layout`).
import type { Job, OnDocument } from '../job.js'
import { readLayout } from '../pdf/layout.js'
import { Reading } from '../pdf/reading.js'
import type { PageList } from '../shapes/page-list.js'

export const layout: Job<OnDocument, PageList> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 50 },
  run: ({ source }, { open, limits }) => readLayout(new Reading(open(source), limits.itemsMax)),
}
