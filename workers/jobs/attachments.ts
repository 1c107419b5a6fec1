// Lists the files that a document has attached (`doc.attachments.list`).
import type { AttachmentList } from '../contract/attachments.js'
import { Reading } from '../document/reading.js'
import { readAttachments } from '../metadata/attachments.js'
import type { Job, OnDocument } from './job.js'

export const attachments: Job<OnDocument, AttachmentList> = {
  kind: 'read',
  deadline: { constantMs: 5_000, perMegabyteMs: 20 },
  run: ({ source }, { open, limits }) => ({
    attachments: [...readAttachments(new Reading(open(source), limits.itemsMax))],
  }),
}
