// Determines the ends of a file's revisions, oldest first. A file whose structure is not certain has a single one.
import { openStrict } from '../strict-reader/open-strict.js'
import { NotStrict } from '../strict-reader/strict-document.js'
import type { Job, OnDocument } from './job.js'
import { unlocked } from './strict-source.js'

export const revisions: Job<OnDocument, { readonly ends: readonly number[] }> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 20 },
  run: ({ source }) => unlocked(source, () => ({ ends: endsOf(source.path, source.password, source.sizeBytes) })),
}

function endsOf(path: string, password: Uint8Array | undefined, sizeBytes: number): readonly number[] {
  try {
    const document = openStrict(path, { password })
    try {
      return document.revisions.map(({ end }) => end)
    } finally {
      document.close()
    }
  } catch (error) {
    if (error instanceof NotStrict && error.name !== 'LockedFile') return [sizeBytes]
    throw error
  }
}
