// Reads entries of the information dictionary that are not standardised (`doc.metadata.custom.get`).

import type { CustomMetadata } from '../contract/custom-metadata.js'
import { Reading } from '../document/reading.js'
import { readCustomMetadata } from '../metadata/custom-metadata.js'
import type { Job, OnDocument } from './job.js'

export const customMetadata: Job<OnDocument, CustomMetadata> = {
  kind: 'read',
  deadline: { constantMs: 5_000, perMegabyteMs: 20 },
  run: ({ source }, { open, limits }) => readCustomMetadata(new Reading(open(source), limits.itemsMax)),
}
