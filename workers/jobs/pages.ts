// Lists the pages of a document in display order, by object number: for layers with an order of their own, and for
// files that were locked at ingest.

import { pageFacts } from '../intake/page-facts.js'
import type { Job, OnDocument } from './job.js'

export const pages: Job<OnDocument, readonly number[]> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 50 },
  run: ({ source }, { open }) => pageFacts(open(source)).map(({ objectNumber }) => objectNumber),
}
