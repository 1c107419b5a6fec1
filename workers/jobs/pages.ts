// The pages of a document in display order, by object number: of a layer with an order of its own, and of a file that was
// locked when it came.

import { pageFacts } from '../intake/page-facts.js'
import type { Job, OnDocument } from './job.js'

export const pages: Job<OnDocument, readonly number[]> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 50 },
  run: ({ source }, { open }) => pageFacts(open(source)).map(({ objectNumber }) => objectNumber),
}
