// Opens a document and says as whom: proves that a password fits without reading anything.
import type { Job, OnDocument } from '../job.js'
import type { OpenedAs } from '../pdf/open-document.js'

export interface Unlocked {
  readonly openedAs: OpenedAs
}

export const unlock: Job<OnDocument, Unlocked> = {
  kind: 'read',
  deadline: { constantMs: 5_000, perMegabyteMs: 20 },
  run: ({ source }, { open }) => ({ openedAs: open(source).openedAs }),
}
