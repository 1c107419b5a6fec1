// The pages of a document in display order, by object number: of a layer with an order of its own, and of a file that was
// locked when it came.
import type { Job, OnDocument } from '../job.js'
import { pageFacts } from '../pdf/intake/page-facts.js'

export const pages: Job<OnDocument, readonly number[]> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 50 },
  run: ({ source }, { open }) => pageFacts(open(source)).map(({ objectNumber }) => objectNumber),
}
