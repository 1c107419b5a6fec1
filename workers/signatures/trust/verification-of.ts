// Verifies one signature of a file: whether the signed bytes are intact, who signed and when, and whether that is
// trusted. The result depends on the input alone.
import type { SignatureVerification } from '../../contract/signatures/verification.js'
import { type Certificate, factsOf } from '../certificates/certificate.js'
import { shownDigest } from '../cms/digest-algorithm.js'
import { type JudgedSignature, judgeSignature } from '../cms/judge-signature.js'
import { embeddedRevocation } from './embedded-revocation.js'
import { findPath, type Path } from './path.js'
import { type RevocationSource, revocationOf } from './revocation.js'
import { claimedTime, type SigningTime, shownTime, signingTimeOf } from './signing-time.js'
import type { TrustResult } from './trust-result.js'
import type { VerificationInput, VerificationOf } from './verification-input.js'
import { TooMuchWork, VerificationWork } from './verification-work.js'

type Revocation = SignatureVerification['revocation']

export const verificationOf: VerificationOf = (input) => {
  const work = input.work ?? new VerificationWork()
  const known = work.certificatesIn(input.store.certificates)
  const judged = judgeSignature(input, known)
  const { integrity, signer, signingTime } = judged
  if (integrity.verdict !== 'intact' || signer === undefined) {
    return {
      integrity,
      signer: signer === undefined ? null : factsOf(signer),
      trust: { verdict: 'unknown', reason: 'The signature is not intact', chain: [] },
      time: shownTime(claimedTime(signingTime, input.dictionaryTime)),
      revocation: { verdict: 'unknown', source: 'none', reason: 'The signature is not intact', at: null },
    }
  }
  try {
    return { integrity, ...trustIn(signer, judged, input, { known, work }) }
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error
    return {
      integrity,
      signer: factsOf(signer),
      trust: { verdict: 'unknown', reason: error.message, chain: [] },
      time: shownTime(claimedTime(signingTime, input.dictionaryTime)),
      revocation: { verdict: 'unknown', source: 'none', reason: error.message, at: null },
    }
  }
}

function trustIn(
  signer: Certificate,
  judged: JudgedSignature,
  input: VerificationInput,
  { known, work }: { readonly known: readonly Certificate[]; readonly work: VerificationWork },
): Omit<SignatureVerification, 'integrity'> {
  const { store, roots } = input
  const anchors = work.certificatesIn(roots.certificates, Number.POSITIVE_INFINITY)
  const sources: readonly RevocationSource[] = [{ source: 'dss', ...store }, embeddedRevocation(judged.cms)]
  const time = timeOf(judged, input, { known, anchors, sources, work })
  const purpose = judged.timestampTime === undefined ? 'signing' : 'timestamps'
  const path = findPath({
    certificate: signer,
    known: [...judged.certificates, ...known],
    anchors,
    at: time.at,
    purpose,
    work,
  })
  const isTimeCertain = time.source === 'timestamp' && time.authority === 'trusted'
  const revocation = revocationOf({ ...path, sources, at: time.at, isTimeCertain, work })
  const trust = trustOf(path, revocation, time, judged, roots.problem)
  const isOwnTime = judged.timestampTime !== undefined
  return {
    signer: factsOf(signer),
    trust: { ...trust, chain: path.chain.map(factsOf) },
    time: shownTime(isOwnTime ? { ...time, authority: trust.verdict } : time),
    revocation,
  }
}

/** Returns the signing time; for a document timestamp it is the timestamp's own. */
function timeOf(
  judged: JudgedSignature,
  input: VerificationInput,
  context: Parameters<typeof signingTimeOf>[2],
): SigningTime {
  const { timestampTime } = judged
  if (timestampTime === undefined) return signingTimeOf(judged, input, context)
  return { at: timestampTime, source: 'timestamp', authority: null }
}

function trustOf(
  path: Path,
  revocation: Revocation,
  time: SigningTime,
  { weakDigest }: JudgedSignature,
  problem: string | undefined,
): TrustResult {
  if (problem !== undefined) return { verdict: 'unknown', reason: problem }
  if (revocation.verdict === 'revoked' && path.isAnchored) return { verdict: 'untrusted', reason: revocation.reason }
  if (path.verdict !== 'trusted') return { verdict: path.verdict, reason: path.reason }
  if (weakDigest !== undefined)
    return { verdict: 'unknown', reason: `${shownDigest(weakDigest)} does not prove which document was signed` }
  if (time.source === 'timestamp') return { verdict: 'trusted', reason: null }
  return { verdict: 'trusted', reason: 'Judged at the time that the signer claims; no timestamp confirms it' }
}
