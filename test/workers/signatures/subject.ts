// Input of the verification of signatures, made without a file.
import { createHash } from 'node:crypto'
import { type DigestAlgorithm, digestHash } from '../../../workers/signatures/cms/digest-algorithm.js'
import { noTrustRoots } from '../../../workers/signatures/trust/trust-roots.js'
import type { SignatureInput, VerificationInput } from '../../../workers/signatures/trust/verification-input.js'
import type { Identity } from '../../support/pki/pki.js'

export const document = Buffer.from('%PDF-2.0 the bytes that a signature covers')
export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

export function signatureOver(
  cms: Uint8Array,
  { data = document, ...members }: Partial<SignatureInput> & { readonly data?: Uint8Array } = {},
): SignatureInput {
  return {
    subFilter: 'adbe.pkcs7.detached',
    coverage: 'whole-revision',
    contents: Buffer.concat([cms, Buffer.alloc(64)]),
    signed: {
      digestOf: (algorithm: DigestAlgorithm) => digestHash(algorithm).update(data).digest(),
      pieces: () => [data.subarray(0, 7), data.subarray(7)],
    },
    dictionaryTime: null,
    ...members,
  }
}

type InputMembers = Partial<VerificationInput> & { readonly trusted?: readonly Identity[] }

export const inputOf = (signature: SignatureInput, { trusted, ...members }: InputMembers = {}): VerificationInput => ({
  ...signature,
  store: { certificates: [], ocsps: [], crls: [] },
  laterTimestamps: [],
  roots: trusted === undefined ? noTrustRoots : { ...noTrustRoots, certificates: trusted.map(({ der }) => der) },
  now: new Date(),
  ...members,
})
