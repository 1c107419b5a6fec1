// Reads the outline of a document (`doc.bookmarks`).
import type { Bookmarks } from '../contract/bookmarks.js'
import { Reading } from '../document/reading.js'
import { readBookmarks } from '../targets/bookmarks.js'
import type { Job, OnDocument } from './job.js'

export const bookmarks: Job<OnDocument, Bookmarks> = {
  kind: 'read',
  deadline: { constantMs: 5_000, perMegabyteMs: 20 },
  run: ({ source }, { open, limits }) => readBookmarks(new Reading(open(source), limits.itemsMax)),
}
