// Extracts the CMS of a signature, without the padding behind it (`doc.versions.signatureContents`).
import { JobRefusal } from '../contract/job-refusal.js'
import { findSignature } from '../signatures/reading/find-signature.js'
import { withoutPadding } from '../signatures/reading/signed-bytes.js'
import { NotStrict } from '../strict-reader/strict-document.js'
import type { Job, OnDocument } from './job.js'
import { withStrict } from './strict-source.js'

export interface NamedSignature extends OnDocument {
  /** Full name of the field. */
  readonly fieldName: string
}

export const signatureContents: Job<NamedSignature, { readonly bytes: Uint8Array }> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 50 },
  run: ({ source, fieldName }) =>
    found(() =>
      withStrict(source, (document) => {
        const contents = findSignature(document, fieldName)?.contents
        return contents && contents.length > 0 ? { bytes: Uint8Array.from(withoutPadding(contents)) } : undefined
      }),
    ),
}

/** Returns the value. Throws `NotFound` if there is none, or if the file cannot be read strictly. */
export function found<Answer>(work: () => Answer | undefined): Answer {
  const answer = strictly(work)
  if (answer === undefined) throw new JobRefusal('NotFound', 'No signature is in the field')
  return answer
}

function strictly<Answer>(work: () => Answer): Answer | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof NotStrict) return undefined
    throw error
  }
}
