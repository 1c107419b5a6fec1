// Checks the CMS with which a client completes a signing: it must sign the prepared bytes.
import type { AlgorithmPolicy } from '../../contract/signatures/algorithm-policy.js'
import type { CertificateFacts, IntegrityCheck } from '../../contract/signatures/verification.js'
import { Asn1Error } from '../asn1/element.js'
import { factsOf } from '../certificates/certificate.js'
import { CmsFailure } from './cms-failure.js'
import { type DigestAlgorithm, shownDigest } from './digest-algorithm.js'
import { contentTypes, judgeSigner, type SignedContent, signerCandidates } from './judge-signer.js'
import { parseSignedData } from './signed-data.js'
import { judgeToken } from './timestamp-token.js'

export interface CmsRequest {
  /** CMS in BER or DER, with nothing after it. */
  readonly cms: Uint8Array
  /** Digest of the prepared bytes. */
  readonly digest: Uint8Array
  readonly digestAlgorithm: 'sha256' | 'sha384' | 'sha512'
  readonly subFilter: string
  readonly kind: 'signature' | 'timestamp'
  readonly policy: AlgorithmPolicy
}

export type CmsAnswer =
  | { readonly verdict: 'accepted'; readonly signer: CertificateFacts; readonly signingTime: Date | undefined }
  | {
      readonly verdict: 'refused'
      readonly check: IntegrityCheck
      /** Reason, a sentence for people without a full stop. */
      readonly reason: string
    }

/** Checks a CMS. Never throws because of its content. */
export function checkCms(request: CmsRequest): CmsAnswer {
  try {
    const { certificate, signingTime } = judgeRequest(request)
    return { verdict: 'accepted', signer: factsOf(certificate), signingTime }
  } catch (error) {
    if (error instanceof Asn1Error) return { verdict: 'refused', check: 'encoding', reason: 'The CMS cannot be read' }
    if (!(error instanceof CmsFailure)) throw error
    return { verdict: 'refused', check: error.check, reason: error.message }
  }
}

function judgeRequest({ cms: bytes, digest, digestAlgorithm, subFilter, kind, policy }: CmsRequest) {
  const cms = parseSignedData(bytes)
  if (cms.sizeBytes !== bytes.length)
    throw new CmsFailure('encoding', `${bytes.length - cms.sizeBytes} bytes follow the CMS`)
  const preparedDigest = (algorithm: DigestAlgorithm): Uint8Array => {
    if (algorithm === digestAlgorithm) return digest
    const [other, prepared] = [shownDigest(algorithm), shownDigest(digestAlgorithm)]
    throw new CmsFailure(
      'message-digest',
      `The CMS has a digest of ${other}; the signing was prepared with ${prepared}`,
    )
  }
  const candidates = signerCandidates(cms, [])
  if (kind === 'timestamp') {
    const token = judgeToken(cms, preparedDigest, policy, candidates)
    return { certificate: token.certificate, signingTime: token.info.time }
  }
  const content: SignedContent = { digestOf: preparedDigest, pieces: () => [] }
  const requirements = {
    contentType: contentTypes.data,
    signingCertificate: subFilter === 'ETSI.CAdES.detached' ? 'required' : 'optional',
    policy,
  } as const
  return judgeSigner(cms, content, requirements, candidates)
}
