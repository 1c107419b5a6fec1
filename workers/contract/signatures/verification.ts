// Two of the three answers about a signature: whether the signed bytes are intact, and whether its signer is trusted.
// The third one, whether later changes were permitted, is that of the analysis. They are never joined into one verdict.
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
  /** `indeterminate`: an algorithm or encoding that this server does not support. */
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
  /** Lower-case hex. */
  serialNumber: Type.String(),
  notBefore: IsoDate,
  notAfter: IsoDate,
  /** SHA-256 of the DER encoding, in lower-case hex. */
  sha256: Type.String(),
})
export type CertificateFacts = Static<typeof CertificateFacts>

export const SignatureVerification = Type.Object({
  integrity: Integrity,
  /** Null if the signature contains no certificate of its signer. */
  signer: Nullable(CertificateFacts),
  trust: Type.Object({
    /**
     * `trusted`: the chain ends at a root of the operator, and was valid and not revoked at the signing time;
     * `untrusted`: a check says otherwise; `unknown`: there are no roots, or not enough is known.
     */
    verdict: Type.Enum(['trusted', 'untrusted', 'unknown']),
    reason: Nullable(Type.String()),
    /** Certificates from the signer's to the last one found. */
    chain: Type.Array(CertificateFacts),
  }),
  time: Type.Object({
    at: Nullable(IsoDate),
    /** `timestamp`: of a timestamp authority; the other two are claims of the signer. */
    source: Type.Enum(['timestamp', 'signed-attribute', 'dictionary', 'none']),
    /** Whether the token of the timestamp itself is trusted; null without one. */
    authority: Nullable(Type.Enum(['trusted', 'untrusted', 'unknown'])),
  }),
  revocation: Type.Object({
    verdict: Type.Enum(['good', 'revoked', 'unknown']),
    /** `dss`: the document's security store; `embedded`: an attribute of the signature. Nothing is fetched. */
    source: Type.Enum(['dss', 'embedded', 'none']),
    reason: Nullable(Type.String()),
    /** Time of the revocation. */
    at: Nullable(IsoDate),
  }),
})
export type SignatureVerification = Static<typeof SignatureVerification>
