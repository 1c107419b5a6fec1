// Determines which changes the signatures of a file permit, without checking whether they are intact.
import type { DocumentProtection } from '../contract/signatures/protection.js'
import { fileSnapshot } from '../signatures/reading/file-snapshot.js'
import type { Job, OnDocument } from './job.js'
import { strictOptions, unlocked } from './strict-source.js'

export const protection: Job<OnDocument, DocumentProtection> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 50 },
  run: ({ source }) => unlocked(source, () => fileSnapshot(source.path, strictOptions(source)).protection),
}
