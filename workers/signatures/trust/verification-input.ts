// Input of the verification of a signature: bytes of the file as the strict reader returns them, and trusted roots.
// Nothing else is read, and nothing is fetched.
import type { SignatureVerification } from '../../contract/signatures/verification.js'
import type { DigestAlgorithm } from '../cms/digest-algorithm.js'
import type { TrustRoots } from './trust-roots.js'
import type { VerificationWork } from './verification-work.js'

/** The bytes that one `/ByteRange` covers. */
export interface SignedBytes {
  /**
   * Returns the digest of the covered bytes; for `shake256`, 64 bytes of it. May be called several times with the same
   * algorithm.
   */
  digestOf(algorithm: DigestAlgorithm): Uint8Array
  /** Yields the covered bytes in order, in pieces of any size. Called only if a digest does not suffice. */
  pieces(): Iterable<Uint8Array>
}

/** A signature dictionary. */
export interface SignatureInput {
  /** Value of `/SubFilter`; null if there is none. */
  readonly subFilter: string | null
  /** Coverage; the CMS is read only for `whole-revision` and `partial`. */
  readonly coverage: 'whole-revision' | 'partial' | 'malformed'
  /** Bytes of the string `/Contents`, including padding. */
  readonly contents: Uint8Array
  /** Certificates in `/Cert`, which only `adbe.x509.rsa_sha1` has. */
  readonly certificates?: readonly Uint8Array[]
  readonly signed: SignedBytes
  /** Value of `/M`; null if missing or malformed. */
  readonly dictionaryTime: Date | null
}

/** Content of `/DSS` in the last revision: certificates, OCSP responses and CRLs in DER, including those of `/VRI`. */
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
  /** Time at which the signature is judged: the latest at which it was made, unless a timestamp proves an earlier one. */
  readonly now: Date
  /** Work on all signatures of the file; undefined if this is the only one. */
  readonly work?: VerificationWork
}

/** Type of `verificationOf` in `verification-of.ts`, which never throws because of a file's content. */
export type VerificationOf = (input: VerificationInput) => SignatureVerification
