// Reads the whole form of a document (`doc.forms.list`).

import type { FormSnapshot } from '../contract/form-snapshot.js'
import { Reading } from '../document/reading.js'
import { readForm } from '../forms/reading/snapshot.js'
import type { Job, OnDocument } from './job.js'

export const form: Job<OnDocument, FormSnapshot> = {
  kind: 'read',
  deadline: { constantMs: 15_000, perMegabyteMs: 50 },
  run: ({ source }, { open, limits }) => readForm(new Reading(open(source), limits.itemsMax)),
}
