// Schemas of two of the three verdicts on a signature: whether the signed bytes are intact, and whether the signer is
// trusted. The third, whether later changes were permitted, is in `change-analysis.ts`. They are never combined into
// one.
import { type Static, Type } from 'typebox'
import { IsoDate } from '../iso-date.js'
import { Nullable } from '../nullable.js'

export const IntegrityCheck = Type.Enum([
  'coverage',
  'encoding',
  'content-type',
  'message-digest',
  'signed-attributes',
  'signing-certificate',
  'signature-value',
])
export type IntegrityCheck = Static<typeof IntegrityCheck>

export const Integrity = Type.Object({
  /** Verdict on the integrity. `indeterminate`: an algorithm or encoding that this server does not support. */
  verdict: Type.Enum(['intact', 'broken', 'indeterminate']),
  /** First check that failed or could not be made; null if intact. */
  check: Nullable(IntegrityCheck),
  reason: Nullable(Type.String()),
})
export type Integrity = Static<typeof Integrity>

export const CertificateFacts = Type.Object({
  /** Distinguished names as in RFC 4514. */
  subject: Type.String(),
  issuer: Type.String(),
  /** Serial number in lower-case hex. */
  serialNumber: Type.String(),
  notBefore: IsoDate,
  notAfter: IsoDate,
  /** SHA-256 of the DER encoding, in lower-case hex. */
  sha256: Type.String(),
})
export type CertificateFacts = Static<typeof CertificateFacts>

export const SignatureVerification = Type.Object({
  integrity: Integrity,
  /** Certificate of the signer; null if the signature does not contain it. */
  signer: Nullable(CertificateFacts),
  trust: Type.Object({
    /**
     * Verdict on the signer. `trusted`: the chain ends at a root of the operator, was valid and not revoked at the
     * signing time, and had not expired when the signature provably existed; `untrusted`: one of these
     * checks failed; `unknown`: the operator configured no roots, or facts are missing, such as a proof that it was
     * signed before a certificate expired.
     */
    verdict: Type.Enum(['trusted', 'untrusted', 'unknown']),
    reason: Nullable(Type.String()),
    /** Certificates from that of the signer to the last issuer found. */
    chain: Type.Array(CertificateFacts),
  }),
  time: Type.Object({
    at: Nullable(IsoDate),
    /**
     * Source of the signing time. `timestamp`: the token of a timestamp authority; `signed-attribute`, `dictionary`: a
     * claim of the signer.
     */
    source: Type.Enum(['timestamp', 'signed-attribute', 'dictionary', 'none']),
    /** Trust in the authority of `timestamp`; null without a timestamp. */
    authority: Nullable(Type.Enum(['trusted', 'untrusted', 'unknown'])),
    /**
     * Certainty of the time. `proven`: a trusted authority says that the signature existed at this time; `claimed`: the
     * signer alone says so; `none`: nobody says when it was signed.
     */
    certainty: Type.Enum(['proven', 'claimed', 'none']),
    /** The timestamp that proves the time; if none does, the first one of the signature, which sets no time; null = none. */
    timestamp: Nullable(
      Type.Object({
        at: IsoDate,
        /** Name of the authority. */
        signer: Type.String(),
        /** Reason why the authority is not trusted. */
        reason: Nullable(Type.String()),
      }),
    ),
  }),
  revocation: Type.Object({
    verdict: Type.Enum(['good', 'revoked', 'unknown']),
    /**
     * Source of the information. `dss`: the document's security store; `embedded`: an attribute of the signature.
     * Nothing is fetched.
     */
    source: Type.Enum(['dss', 'embedded', 'none']),
    reason: Nullable(Type.String()),
    /** Time of the revocation. */
    at: Nullable(IsoDate),
  }),
})
export type SignatureVerification = Static<typeof SignatureVerification>
