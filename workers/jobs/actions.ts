// Reads the actions of a document (`doc.actions`).
import type { DocumentActions } from '../contract/document-actions.js'
import { Reading } from '../document/reading.js'
import { readDocumentActions } from '../targets/document-actions.js'
import type { Job, OnDocument } from './job.js'

export const actions: Job<OnDocument, DocumentActions> = {
  kind: 'read',
  deadline: { constantMs: 5_000, perMegabyteMs: 20 },
  run: ({ source }, { open, limits }) => readDocumentActions(new Reading(open(source), limits.itemsMax)),
}
