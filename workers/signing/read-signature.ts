// Reads the signature of a field from a file that was just signed, with the reader that judges signatures of any file.
import type { DocumentProtection } from '../contract/signatures/protection.js'
import type { Signature } from '../contract/signatures/signature.js'
import { signatureSnapshot } from '../signatures/reading/snapshot.js'
import { securityStoreOf } from '../signatures/trust/security-store.js'
import type { TrustRoots } from '../signatures/trust/trust-roots.js'
import { verificationOf } from '../signatures/trust/verification-of.js'
import { openStrict, type StrictOptions } from '../strict-reader/open-strict.js'
import { NotStrict } from '../strict-reader/strict-document.js'

export interface SignedField {
  /** Object number of the field. */
  readonly field: number
  /** CMS in DER, without padding. */
  readonly cms: Uint8Array
  /** Digest of the signed bytes, computed when the signature was prepared. */
  readonly digest: Uint8Array
  readonly algorithm: string
  readonly roots: TrustRoots
  readonly now: Date
}

export interface SignedFacts {
  readonly signature: Signature
  readonly protection: DocumentProtection
}

export function readSignature(path: string, options: StrictOptions, signed: SignedField): SignedFacts {
  const document = openStrict(path, options)
  try {
    const { signatures, protection } = signatureSnapshot(document)
    const found = signatures.find(({ field }) => field.kind === 'objectNumber' && field.objectNumber === signed.field)
    if (found?.coverage !== 'whole-revision') throw new Error('The written file does not contain the signature')
    const { subFilter, signer } = found
    const verification = verificationOf({
      subFilter,
      coverage: found.coverage,
      contents: signed.cms,
      signed: { digestOf: (algorithm) => preparedDigest(signed, algorithm), pieces: () => [] },
      dictionaryTime: signer.signedAt === null ? null : new Date(signer.signedAt),
      store: securityStoreOf(document),
      laterTimestamps: [],
      roots: signed.roots,
      now: signed.now,
    })
    return { signature: { ...found, verification }, protection }
  } finally {
    document.close()
  }
}

/**
 * Returns the digest of the preparation instead of reading the file. The CMS uses no other one, which was checked
 * before.
 */
function preparedDigest({ digest, algorithm }: SignedField, wanted: string): Uint8Array {
  if (wanted === algorithm) return digest
  throw new Error(`The signature was prepared with ${algorithm}, not ${wanted}`)
}

/** True if the structure of the file is unambiguous, so that readers agree on what is signed. */
export function isStrict(path: string, options: StrictOptions): boolean {
  try {
    const document = openStrict(path, options)
    try {
      signatureSnapshot(document)
      return true
    } finally {
      document.close()
    }
  } catch (error) {
    if (error instanceof NotStrict) return false
    throw error
  }
}
