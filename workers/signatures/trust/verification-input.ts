// What is to be known about a signature to answer for its integrity and trust: bytes of the file as the strict reader
// returns them, and the roots of the operator. Nothing else is read, and nothing is fetched.
import type { SignatureVerification } from '../../contract/signatures/verification.js'
import type { DigestAlgorithm } from '../cms/digest-algorithm.js'
import type { TrustRoots } from './trust-roots.js'

/** The bytes that one `/ByteRange` covers. */
export interface SignedBytes {
  /**
   * Digest of the covered bytes; for `shake256` of 64 bytes. Asked for at most a few times per signature; the same
   * question may come again.
   */
  digestOf(algorithm: DigestAlgorithm): Uint8Array
  /** The covered bytes, in order and in pieces of any size. Only asked for where a digest does not suffice. */
  pieces(): Iterable<Uint8Array>
}

/** One signature dictionary. */
export interface SignatureInput {
  /** `/SubFilter`; null if there is none. */
  readonly subFilter: string | null
  /** Anything but `whole-revision` or `partial` is answered without looking at the CMS. */
  readonly coverage: 'whole-revision' | 'partial' | 'malformed'
  /** Bytes of the string `/Contents`, padding included. */
  readonly contents: Uint8Array
  /** Strings of `/Cert`, which only `adbe.x509.rsa_sha1` has. */
  readonly certificates?: readonly Uint8Array[]
  readonly signed: SignedBytes
  /** `/M`; null if there is none that can be read. */
  readonly dictionaryTime: Date | null
}

/** `/DSS` of the last revision: DER of certificates and of answers about them. `/VRI` only names the same streams. */
export interface SecurityStore {
  readonly certificates: readonly Uint8Array[]
  readonly ocsps: readonly Uint8Array[]
  readonly crls: readonly Uint8Array[]
}

export interface VerificationInput extends SignatureInput {
  readonly store: SecurityStore
  /**
   * Document timestamps (`ETSI.RFC3161`) whose signed range contains all bytes of this signature's revision, oldest
   * first. Those that are not intact are passed over.
   */
  readonly laterTimestamps: readonly SignatureInput[]
  readonly roots: TrustRoots
}

/** The shape of `verificationOf` in `verification-of.ts`. It never throws for what a file contains. */
export type VerificationOf = (input: VerificationInput) => SignatureVerification
