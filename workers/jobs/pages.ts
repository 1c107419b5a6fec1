// The pages of a document and their inline annotations: what ingest could not learn of a file that was locked then.
import type { Job, OnDocument } from '../job.js'
import { type PageFact, pageFacts } from '../pdf/intake/page-facts.js'

export const pages: Job<OnDocument, readonly PageFact[]> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 50 },
  run: ({ source }, { open }) => pageFacts(open(source)),
}
