// Computes the digest of the bytes that a signature covers (`doc.versions.signatureDigest`).
import { findSignature } from '../signatures/reading/find-signature.js'
import { signedBytes } from '../signatures/reading/signed-bytes.js'
import type { Job } from './job.js'
import { found, type NamedSignature } from './signature-contents.js'
import { withStrict } from './strict-source.js'

export const signatureDigestAlgorithms = ['sha1', 'sha256', 'sha384', 'sha512'] as const

export interface SignatureDigestInput extends NamedSignature {
  readonly algorithm: (typeof signatureDigestAlgorithms)[number]
}

/** Computes the digest. Throws `NotFound` if there is no signature, or if its `/ByteRange` is outside of the file. */
export const signatureDigest: Job<SignatureDigestInput, { readonly bytes: Uint8Array }> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 100 },
  run: ({ source, fieldName, algorithm }) =>
    found(() =>
      withStrict(source, (document) => {
        const range = findSignature(document, fieldName)?.byteRange
        return range ? { bytes: Uint8Array.from(signedBytes(document, range).digestOf(algorithm)) } : undefined
      }),
    ),
}
