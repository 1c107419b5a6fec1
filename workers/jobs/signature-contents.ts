// Returns the CMS of one signature of a file, without the padding behind it.

import { withoutPadding } from '../signatures/reading/signed-bytes.js'
import { signedField } from '../signatures/reading/signed-field.js'
import type { Job, OnDocument } from './job.js'
import { noSuchSignature } from './no-such-signature.js'
import { withStrict } from './strict-source.js'

export interface SignatureContentsInput extends OnDocument {
  /** Full name. */
  readonly fieldName: string
}

export const signatureContents: Job<SignatureContentsInput, { readonly bytes: Uint8Array }> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 10 },
  run: ({ source, fieldName }) =>
    withStrict(source, (document) => {
      const signed = signedField(document, fieldName)
      if (signed === undefined) throw noSuchSignature(fieldName)
      return { bytes: withoutPadding(signed.value.contents) }
    }),
}
