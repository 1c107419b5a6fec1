// Determines the time at which a document was signed: that of a timestamp authority, else the one that the signer
// claims.
import type { SignatureVerification } from '../../contract/signatures/verification.js'
import { encodingOf } from '../asn1/element.js'
import { type Certificate, isoOf, parseCertificates } from '../certificates/certificate.js'
import { attributeOids } from '../cms/attributes.js'
import { CmsFailure } from '../cms/cms-failure.js'
import { digestOf } from '../cms/digest-algorithm.js'
import { type JudgedSignature, judgeSignature } from '../cms/judge-signature.js'
import { signerCandidates } from '../cms/judge-signer.js'
import { parseSignedData, type SignedData } from '../cms/signed-data.js'
import { judgeToken } from '../cms/timestamp-token.js'
import { findPath } from './path.js'
import { type RevocationSource, revocationOf } from './revocation.js'
import type { VerificationInput } from './verification-input.js'
import type { VerificationWork } from './verification-work.js'

export interface SigningTime {
  readonly at: Date | undefined
  readonly source: SignatureVerification['time']['source']
  readonly authority: SignatureVerification['time']['authority']
}

export interface TimeContext {
  /** Certificates from elsewhere in the file. */
  readonly known: readonly Certificate[]
  readonly anchors: readonly Certificate[]
  readonly sources: readonly RevocationSource[]
  readonly work: VerificationWork
}

/** Maximum number of timestamps that are judged: of the signature, and of the document. */
const timestampsMax = 4

type TimeInput = Pick<VerificationInput, 'laterTimestamps' | 'dictionaryTime'>

/** Returns the first timestamp of a trusted authority, else the first timestamp, else the claimed time. */
export function signingTimeOf(judged: JudgedSignature, input: TimeInput, context: TimeContext): SigningTime {
  let found: SigningTime | undefined
  for (const stamp of timestampsOf(judged, input, context)) {
    const authority = authorityOf(stamp, context)
    const time: SigningTime = { at: stamp.time, source: 'timestamp', authority }
    if (authority === 'trusted') return time
    found ??= time
  }
  return found ?? claimedTime(judged.signingTime, input.dictionaryTime)
}

/** Returns the time that the signer claims; for a signature that is not intact, no other time is known. */
export function claimedTime(attribute: Date | undefined, dictionary: Date | null): SigningTime {
  if (attribute !== undefined) return { at: attribute, source: 'signed-attribute', authority: null }
  if (dictionary !== null) return { at: dictionary, source: 'dictionary', authority: null }
  return { at: undefined, source: 'none', authority: null }
}

export const shownTime = ({ at, source, authority }: SigningTime): SignatureVerification['time'] => ({
  at: at === undefined ? null : isoOf(at),
  source,
  authority,
})

interface Timestamp {
  readonly time: Date
  readonly signer: Certificate
  readonly certificates: readonly Certificate[]
  readonly isWeak: boolean
}

/** Yields intact timestamps: those of the signature value, then those of the whole document. */
function* timestampsOf(
  { cms }: JudgedSignature,
  { laterTimestamps }: TimeInput,
  { known, work }: TimeContext,
): Generator<Timestamp> {
  const tokens = cms?.signer.unsignedAttributes.get(attributeOids.timeStampToken) ?? []
  for (const token of tokens.slice(0, timestampsMax)) {
    work.takeParsing(token.end - token.start)
    const stamp = cms && tokenTimestamp(encodingOf(token), cms, known)
    if (stamp !== undefined) yield stamp
  }
  for (const later of laterTimestamps.slice(0, timestampsMax)) {
    work.takeParsing(later.contents.length)
    const { integrity, signer, timestampTime, certificates, weakDigest } = judgeSignature(later, known)
    if (integrity.verdict === 'intact' && signer !== undefined && timestampTime !== undefined)
      yield { time: timestampTime, signer, certificates, isWeak: weakDigest !== undefined }
  }
}

/** Returns the time; undefined for a token that is broken, or a timestamp of something else. */
function tokenTimestamp(bytes: Uint8Array, stamped: SignedData, known: readonly Certificate[]): Timestamp | undefined {
  try {
    const token = parseSignedData(bytes)
    const value = stamped.signer.signature
    const candidates = signerCandidates(token, known)
    const judged = judgeToken(token, (algorithm) => digestOf(algorithm, value), { isNew: false }, candidates)
    return {
      time: judged.info.time,
      signer: judged.certificate,
      certificates: parseCertificates(token.certificates),
      isWeak: judged.weakDigest !== undefined,
    }
  } catch (error) {
    if (error instanceof CmsFailure) return undefined
    throw error
  }
}

function authorityOf({ time, signer, certificates, isWeak }: Timestamp, context: TimeContext) {
  const { anchors, sources, work } = context
  const known = [...certificates, ...context.known]
  const path = findPath({ certificate: signer, known, anchors, at: time, purpose: 'timestamps', work })
  const revocation = revocationOf({ ...path, sources, at: time, isTimeCertain: false, work })
  if (revocation.verdict === 'revoked' && path.isAnchored) return 'untrusted'
  return isWeak && path.verdict === 'trusted' ? 'unknown' : path.verdict
}
