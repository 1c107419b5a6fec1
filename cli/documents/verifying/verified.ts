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
  readonly revisions: number
  readonly signatures: readonly VerifiedSignature[]
}

export async function verified(
  { chainValid, revisions, signatures }: SignatureSnapshot,
  analyse: (signature: number) => Promise<Permission>,
): Promise<Verified> {
  const answers: VerifiedSignature[] = []
  for (const signature of signatures) {
    const { verification, index } = signature
    if (verification !== null) answers.push({ signature, verification, permission: await analyse(index) })
  }
  return { chainValid, revisions: revisions.length, signatures: answers }
}

/** True if no answer is a no. A file without signatures is not accepted, because nothing in it is proven. */
export const isAccepted = ({ chainValid, signatures }: Verified): boolean =>
  chainValid && signatures.length > 0 && signatures.every(isAcceptedSignature)

const isAcceptedSignature = ({ verification, permission }: VerifiedSignature): boolean =>
  verification.integrity.verdict === 'intact' &&
  (permission.verdict === 'unchanged' || permission.verdict === 'permitted') &&
  verification.trust.verdict !== 'untrusted'
