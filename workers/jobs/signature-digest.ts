// Computes the digest of the bytes that a signature covers, as a verifier compares it with the message digest of the CMS.
import { coverageOf } from '../signatures/reading/coverage.js'
import { signedBytes } from '../signatures/reading/signed-bytes.js'
import { type SignedField, signedField } from '../signatures/reading/signed-field.js'
import type { StrictDocument } from '../strict-reader/strict-document.js'
import type { Job, OnDocument } from './job.js'
import { noSuchSignature } from './no-such-signature.js'
import { withStrict } from './strict-source.js'

export interface SignatureDigestInput extends OnDocument {
  /** Full name. */
  readonly fieldName: string
  readonly algorithm: 'sha1' | 'sha256' | 'sha384' | 'sha512'
}

export const signatureDigest: Job<SignatureDigestInput, { readonly digest: Uint8Array }> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 50 },
  run: ({ source, fieldName, algorithm }) =>
    withStrict(source, (document) => {
      const signed = signedField(document, fieldName)
      const range = signed?.value.byteRange ?? null
      if (signed === undefined || range === null || isMalformed(document, signed)) throw noSuchSignature(fieldName)
      return { digest: signedBytes(document, range).digestOf(algorithm) }
    }),
}

const isMalformed = (document: StrictDocument, { field, value }: SignedField): boolean =>
  coverageOf(document, field, value).coverage === 'malformed'
