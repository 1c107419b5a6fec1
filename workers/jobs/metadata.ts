// Reads the metadata of a document (`doc.metadata.get`).

import type { DocumentMetadata } from '../contract/document-metadata.js'
import { Reading } from '../document/reading.js'
import { readMetadata } from '../metadata/metadata.js'
import type { Job, OnDocument } from './job.js'

export const metadata: Job<OnDocument, DocumentMetadata> = {
  kind: 'read',
  deadline: { constantMs: 5_000, perMegabyteMs: 20 },
  run: ({ source }, { open, limits }) => readMetadata(new Reading(open(source), limits.itemsMax)),
}
