// Computes SHA-256 and length of an uploaded file.
import { digestOf, type FileDigest } from '../file/digest.js'
import type { Job, OnDocument } from './job.js'

export const digest: Job<OnDocument, FileDigest> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 100 },
  run: ({ source }) => digestOf(source.path),
}
