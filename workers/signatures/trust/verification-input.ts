// Input of the verification of a signature: bytes of the file as the strict reader returns them, and trusted roots.
// Nothing else is read, and nothing is fetched.
import type { SignatureVerification } from '../../contract/signatures/verification.js'
import type { DigestAlgorithm } from '../cms/digest-algorithm.js'
import type { TrustRoots } from './trust-roots.js'

/** The bytes that one `/ByteRange` covers. */
export interface SignedBytes {
  /**
   * Returns the digest of the covered bytes; for `shake256`, 64 bytes of it. May be called several times with the same
   * algorithm.
   */
  digestOf(algorithm: DigestAlgorithm): Uint8Array
  /** Yields the covered bytes in order, in pieces of any size. Only called where a digest does not suffice. */
  pieces(): Iterable<Uint8Array>
}

/** One signature dictionary. */
export interface SignatureInput {
  /** `/SubFilter`; null if there is none. */
  readonly subFilter: string | null
  /** The CMS is read only for `whole-revision` and `partial`. */
  readonly coverage: 'whole-revision' | 'partial' | 'malformed'
  /** Bytes of the string `/Contents`, padding included. */
  readonly contents: Uint8Array
  /** Strings of `/Cert`, which only `adbe.x509.rsa_sha1` has. */
  readonly certificates?: readonly Uint8Array[]
  readonly signed: SignedBytes
  /** `/M`; null if missing or malformed. */
  readonly dictionaryTime: Date | null
}

/** `/DSS` of the last revision: certificates, OCSP responses and CRLs in DER, those of `/VRI` included. */
export interface SecurityStore {
  readonly certificates: readonly Uint8Array[]
  readonly ocsps: readonly Uint8Array[]
  readonly crls: readonly Uint8Array[]
}

export interface VerificationInput extends SignatureInput {
  readonly store: SecurityStore
  /**
   * Document timestamps (`ETSI.RFC3161`) whose signed range contains all bytes of this signature's revision, oldest
   * first. Those that are not intact are ignored.
   */
  readonly laterTimestamps: readonly SignatureInput[]
  readonly roots: TrustRoots
}

/** Type of `verificationOf` in `verification-of.ts`. Never throws because of a file's content. */
export type VerificationOf = (input: VerificationInput) => SignatureVerification
