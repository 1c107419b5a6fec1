// The three answers about every signature of a file, whether the server or this process determined them.
import type { ChangeAnalysis } from '../../../workers/contract/signatures/change-analysis.js'
import type { Signature } from '../../../workers/contract/signatures/signature.js'
import type { SignatureSnapshot } from '../../../workers/contract/signatures/signature-snapshot.js'
import type { SignatureVerification } from '../../../workers/contract/signatures/verification.js'

export type Permission = Pick<ChangeAnalysis, 'verdict' | 'current' | 'later'>

export interface VerifiedSignature {
  readonly signature: Signature
  readonly verification: SignatureVerification
  /** Changes since the signature was made, and whether they are permitted. */
  readonly permission: Permission
}

export interface Verified {
  /** False if the structure of the file is too damaged for any certain answer. */
  readonly chainValid: boolean
  readonly chainProblem: SignatureSnapshot['chainProblem']
  readonly revisions: number
  readonly signatures: readonly VerifiedSignature[]
}

/** Joins the verification of each signature with the analysis of later changes. */
export async function verifySignatures(
  { chainValid, chainProblem = null, revisions, signatures }: SignatureSnapshot,
  analyse: (signature: number) => Promise<Permission>,
): Promise<Verified> {
  const answers: VerifiedSignature[] = []
  for (const signature of signatures) {
    const { verification, index } = signature
    if (verification !== null) answers.push({ signature, verification, permission: await analyse(index) })
  }
  return { chainValid, chainProblem, revisions: revisions.length, signatures: answers }
}

/** Answers that must be a yes for every signature. */
export const requirements = ['integrity', 'permission', 'trust'] as const
export type Requirement = (typeof requirements)[number]

const isMet: Readonly<Record<Requirement, (signature: VerifiedSignature) => boolean>> = {
  integrity: ({ verification }) => verification.integrity.verdict === 'intact',
  permission: ({ permission: { verdict } }) => verdict === 'unchanged' || verdict === 'permitted',
  trust: ({ verification }) => verification.trust.verdict === 'trusted',
}

/**
 * True if every signature meets the requirements. Undefined requirements are integrity and permission, and a signer who
 * is not untrusted. A file without signatures is not accepted, because nothing in it is proven.
 */
export function isAccepted(
  { chainValid, signatures }: Verified,
  required: readonly Requirement[] | undefined,
): boolean {
  const demanded = required ?? (['integrity', 'permission'] as const)
  const isAcceptedSignature = (signature: VerifiedSignature): boolean =>
    demanded.every((name) => isMet[name](signature)) &&
    (required !== undefined || signature.verification.trust.verdict !== 'untrusted')
  return chainValid && signatures.length > 0 && signatures.every(isAcceptedSignature)
}
