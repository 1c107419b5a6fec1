// What a document says about itself (`doc.metadata.get`).

import type { DocumentMetadata } from '../contract/document-metadata.js'
import type { Job, OnDocument } from '../job.js'
import { readMetadata } from '../pdf/metadata.js'
import { Reading } from '../pdf/reading.js'

export const metadata: Job<OnDocument, DocumentMetadata> = {
  kind: 'read',
  deadline: { constantMs: 5_000, perMegabyteMs: 20 },
  run: ({ source }, { open, limits }) => readMetadata(new Reading(open(source), limits.itemsMax)),
}
