// Verifies one signature of a file: whether the signed bytes are intact, who signed and when, and whether that is
// trusted. The result depends on the input alone.
import type { SignatureVerification } from '../../contract/signatures/verification.js'
import { type Certificate, factsOf } from '../certificates/certificate.js'
import { weaknessOf } from '../cms/algorithm-strength.js'
import { type JudgedSignature, judgeSignature } from '../cms/judge-signature.js'
import { embeddedRevocation } from './embedded-revocation.js'
import { findPath, type Path } from './path.js'
import { type RevocationSource, revocationOf } from './revocation.js'
import { claimedTime, ownTimeOf, type SigningTime, shownTime, signingTimeOf, type TimeContext } from './signing-time.js'
import type { TrustResult } from './trust-result.js'
import type { VerificationInput, VerificationOf } from './verification-input.js'
import { TooMuchWork, VerificationWork } from './verification-work.js'

type Revocation = SignatureVerification['revocation']

export const verificationOf: VerificationOf = (input) => {
  const work = input.work ?? new VerificationWork()
  const known = work.certificatesIn(input.store.certificates)
  const judged = judgeSignature(input, known)
  const { integrity, signer } = judged
  if (integrity.verdict !== 'intact' || signer === undefined) {
    const isBroken = integrity.verdict === 'broken'
    return undecided(
      judged,
      input,
      isBroken ? 'The signature is broken' : 'It is not known whether the signature is intact',
    )
  }
  const weakness = weaknessOf(judged.digests, signer, input.roots.policy)
  const stated = { ...integrity, reason: weakness ?? null }
  try {
    return { integrity: stated, ...trustIn(signer, judged, input, { known, work, weakness }) }
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error
    return { ...undecided(judged, input, error.message), integrity: stated }
  }
}

function undecided(judged: JudgedSignature, input: VerificationInput, reason: string): SignatureVerification {
  const { integrity, signer, signingTime } = judged
  return {
    integrity,
    signer: signer === undefined ? null : factsOf(signer),
    trust: { verdict: 'unknown', reason, chain: [] },
    time: shownTime(claimedTime(signingTime, input.dictionaryTime)),
    revocation: { verdict: 'unknown', source: 'none', reason, at: null },
  }
}

interface TrustContext {
  /** Certificates from elsewhere in the file. */
  readonly known: readonly Certificate[]
  readonly work: VerificationWork
  /** Reason why the digests or the key of the signature are not accepted. */
  readonly weakness: string | undefined
}

function trustIn(
  signer: Certificate,
  judged: JudgedSignature,
  input: VerificationInput,
  { known, work, weakness }: TrustContext,
): Omit<SignatureVerification, 'integrity'> {
  const { store, roots, now } = input
  const { policy } = roots
  const anchors = work.certificatesIn(roots.certificates, Number.POSITIVE_INFINITY)
  const sources: readonly RevocationSource[] = [{ source: 'dss', ...store }, embeddedRevocation(judged.cms)]
  const context: TimeContext = { known, anchors, sources, policy, now, work }
  const { timestampTime } = judged
  const time =
    timestampTime === undefined ? signingTimeOf(judged, input, context) : ownTimeOf(timestampTime, input, context)
  const { at, provenBy } = time
  const path = findPath({
    certificate: signer,
    known: [...judged.certificates, ...known],
    anchors,
    at,
    by: provenBy ?? now,
    policy,
    purpose: timestampTime === undefined ? 'signing' : 'timestamps',
    work,
  })
  const revocation = revocationOf({ ...path, sources, at, provenBy, work })
  const trust = trustOf(path, revocation, { time, weakness, problem: roots.problem })
  return {
    signer: factsOf(signer),
    trust: { ...trust, chain: path.chain.map(factsOf) },
    time: timestampTime === undefined ? shownTime(time) : shownOwnTime(time, trust),
    revocation,
  }
}

/** The time of a document timestamp is as certain as its authority is trusted. */
const shownOwnTime = (time: SigningTime, { verdict }: TrustResult): SignatureVerification['time'] => ({
  ...shownTime(time),
  authority: verdict,
  certainty: verdict === 'trusted' ? 'proven' : 'claimed',
})

interface TrustFacts {
  readonly time: SigningTime
  readonly weakness: string | undefined
  /** Problem of the configured roots. */
  readonly problem: string | undefined
}

function trustOf(path: Path, revocation: Revocation, { time, weakness, problem }: TrustFacts): TrustResult {
  if (problem !== undefined) return { verdict: 'unknown', reason: problem }
  if (revocation.verdict === 'revoked' && path.isAnchored) return { verdict: 'untrusted', reason: revocation.reason }
  if (path.verdict !== 'trusted') return { verdict: path.verdict, reason: path.reason }
  if (weakness !== undefined) return { verdict: 'unknown', reason: weakness }
  if (time.source === 'timestamp') return { verdict: 'trusted', reason: null }
  return { verdict: 'trusted', reason: 'Judged at the time that the signer claims; no trusted timestamp confirms it' }
}
