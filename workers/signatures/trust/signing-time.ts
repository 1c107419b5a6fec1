// Determines the time at which a document was signed: that of a timestamp of a trusted authority, else the one that the
// signer claims.
import type { AlgorithmPolicy } from '../../contract/signatures/algorithm-policy.js'
import type { SignatureVerification } from '../../contract/signatures/verification.js'
import { encodingOf } from '../asn1/element.js'
import { type Certificate, isoOf, parseCertificates } from '../certificates/certificate.js'
import { weaknessOf } from '../cms/algorithm-strength.js'
import { attributeOids } from '../cms/attributes.js'
import { CmsFailure } from '../cms/cms-failure.js'
import { type DigestAlgorithm, digestOf } from '../cms/digest-algorithm.js'
import { type JudgedSignature, judgeSignature } from '../cms/judge-signature.js'
import { signerCandidates } from '../cms/judge-signer.js'
import { parseSignedData, type SignedData } from '../cms/signed-data.js'
import { judgeToken } from '../cms/timestamp-token.js'
import { findPath } from './path.js'
import { type RevocationSource, revocationOf } from './revocation.js'
import type { TrustResult } from './trust-result.js'
import type { VerificationInput } from './verification-input.js'
import type { VerificationWork } from './verification-work.js'

type ShownTime = SignatureVerification['time']

export interface SigningTime extends Pick<ShownTime, 'source' | 'certainty'> {
  readonly at: Date | undefined
  /** Time by which a trusted timestamp proves that the signature existed; undefined without one. */
  readonly provenBy: Date | undefined
  /** The timestamp that proves the time, else the first one. */
  readonly timestamp: JudgedTimestamp | undefined
}

export interface TimeContext {
  /** Certificates from elsewhere in the file. */
  readonly known: readonly Certificate[]
  readonly anchors: readonly Certificate[]
  readonly sources: readonly RevocationSource[]
  readonly policy: AlgorithmPolicy
  readonly now: Date
  readonly work: VerificationWork
}

/** Maximum number of timestamps that are judged: of the signature, and of the document. */
const timestampsMax = { signature: 4, document: 8 } as const

type TimeInput = Pick<VerificationInput, 'laterTimestamps' | 'dictionaryTime'>

interface Timestamp {
  readonly time: Date
  readonly signer: Certificate
  readonly certificates: readonly Certificate[]
  readonly digests: readonly DigestAlgorithm[]
}

interface JudgedTimestamp extends Timestamp {
  readonly trust: TrustResult
}

/** Returns the earliest time that a trusted timestamp proves, else the time that the signer claims. */
export function signingTimeOf(judged: JudgedSignature, input: TimeInput, context: TimeContext): SigningTime {
  const later = documentTimestamps(input, context)
  const provenBy = earliest(later)?.time
  const own = tokensOf(judged, context).map((stamp) => judgedTimestamp(stamp, provenBy, context))
  const stamps = [...own, ...later]
  const proof = earliest(stamps)
  if (proof === undefined) return { ...claimedTime(judged.signingTime, input.dictionaryTime), timestamp: stamps[0] }
  return { at: proof.time, provenBy: proof.time, source: 'timestamp', certainty: 'proven', timestamp: proof }
}

/** Returns the time of a document timestamp, which is its own. Later ones prove that it existed before it expired. */
export function ownTimeOf(at: Date, input: TimeInput, context: TimeContext): SigningTime {
  const provenBy = earliest(documentTimestamps(input, context))?.time
  return { at, provenBy, source: 'timestamp', certainty: 'claimed', timestamp: undefined }
}

/** Returns the time that the signer claims; for a signature that is not intact, no other time is known. */
export function claimedTime(attribute: Date | undefined, dictionary: Date | null): SigningTime {
  const nothing = { provenBy: undefined, timestamp: undefined }
  if (attribute !== undefined) return { ...nothing, at: attribute, source: 'signed-attribute', certainty: 'claimed' }
  if (dictionary !== null) return { ...nothing, at: dictionary, source: 'dictionary', certainty: 'claimed' }
  return { ...nothing, at: undefined, source: 'none', certainty: 'none' }
}

export const shownTime = ({ at, source, certainty, timestamp }: SigningTime): ShownTime => ({
  at: at === undefined ? null : isoOf(at),
  source,
  authority: timestamp?.trust.verdict ?? null,
  certainty,
  timestamp:
    timestamp === undefined
      ? null
      : { at: isoOf(timestamp.time), signer: timestamp.signer.subject.text, reason: timestamp.trust.reason },
})

function earliest(stamps: readonly JudgedTimestamp[]): JudgedTimestamp | undefined {
  const [first] = stamps
    .filter(({ trust }) => trust.verdict === 'trusted')
    .toSorted((one, other) => one.time.getTime() - other.time.getTime())
  return first
}

/** Returns the timestamps of the signature value. Those that are broken, or of something else, are left out. */
function tokensOf({ cms }: JudgedSignature, { known, work }: TimeContext): readonly Timestamp[] {
  const tokens = cms?.signer.unsignedAttributes.get(attributeOids.timeStampToken) ?? []
  return tokens.slice(0, timestampsMax.signature).flatMap((token) => {
    work.takeParsing(token.end - token.start)
    return (cms && tokenTimestamp(encodingOf(token), cms, known)) ?? []
  })
}

function tokenTimestamp(bytes: Uint8Array, stamped: SignedData, known: readonly Certificate[]): Timestamp | undefined {
  try {
    const token = parseSignedData(bytes)
    const value = stamped.signer.signature
    const candidates = signerCandidates(token, known)
    const judged = judgeToken(token, (algorithm) => digestOf(algorithm, value), undefined, candidates)
    const { info, certificate, digests } = judged
    return { time: info.time, signer: certificate, certificates: parseCertificates(token.certificates), digests }
  } catch (error) {
    if (error instanceof CmsFailure) return undefined
    throw error
  }
}

/**
 * Returns the timestamps of the whole document, oldest first. Each is judged by what the later ones prove about it, and
 * the last one now.
 */
function documentTimestamps({ laterTimestamps }: TimeInput, context: TimeContext): readonly JudgedTimestamp[] {
  const { known, work } = context
  const judged: JudgedTimestamp[] = []
  for (const later of laterTimestamps.slice(-timestampsMax.document).toReversed()) {
    work.takeParsing(later.contents.length)
    const { integrity, signer, timestampTime: time, certificates, digests } = judgeSignature(later, known)
    if (integrity.verdict !== 'intact' || signer === undefined || time === undefined) continue
    const stamp = { time, signer, certificates, digests }
    judged.unshift(judgedTimestamp(stamp, earliest(judged)?.time, context))
  }
  return judged
}

/** Judges the authority of a timestamp, of which a later timestamp may prove that it existed. */
function judgedTimestamp(stamp: Timestamp, provenBy: Date | undefined, context: TimeContext): JudgedTimestamp {
  const { time: at, signer, certificates, digests } = stamp
  const { anchors, sources, work, policy, now } = context
  const known = [...certificates, ...context.known]
  const by = provenBy ?? now
  const path = findPath({ certificate: signer, known, anchors, at, by, policy, purpose: 'timestamps', work })
  const revocation = revocationOf({ ...path, sources, at, provenBy, work })
  const weakness = weaknessOf(digests, signer, policy)
  if (revocation.verdict === 'revoked' && path.isAnchored)
    return { ...stamp, trust: { verdict: 'untrusted', reason: revocation.reason } }
  if (weakness !== undefined && path.verdict === 'trusted')
    return { ...stamp, trust: { verdict: 'unknown', reason: weakness } }
  return { ...stamp, trust: { verdict: path.verdict, reason: path.reason } }
}
