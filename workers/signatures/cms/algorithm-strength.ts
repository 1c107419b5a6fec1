// Judges whether digests and keys are as strong as the operator demands (ETSI TS 119 312).
import type { KeyObject } from 'node:crypto'
import type { AlgorithmPolicy } from '../../contract/signatures/algorithm-policy.js'
import type { Certificate } from '../certificates/certificate.js'
import { type DigestAlgorithm, shownDigest } from './digest-algorithm.js'

/** Returns why a digest is not accepted, a sentence without a full stop; undefined if all are. */
export function weakDigest(digests: readonly DigestAlgorithm[], policy: AlgorithmPolicy): string | undefined {
  const weak = digests.find((digest) => !policy.digests.includes(digest))
  if (weak === undefined) return undefined
  const why = weak === 'sha1' ? ': another document with the same digest could have been made' : ''
  return `${shownDigest(weak)} is not accepted${why}`
}

/** Returns why the key of a certificate is not accepted, a sentence without a full stop; undefined if it is. */
export function weakKey({ subject, key }: Certificate, policy: AlgorithmPolicy): string | undefined {
  const problem = keyProblem(key(), policy)
  return problem === undefined ? undefined : `The key of ${subject.text} is not accepted: ${problem}`
}

function keyProblem(key: KeyObject | undefined, { rsaBitsMin, ecBitsMin }: AlgorithmPolicy): string | undefined {
  const { modulusLength, namedCurve } = key?.asymmetricKeyDetails ?? {}
  if (modulusLength !== undefined)
    return modulusLength < rsaBitsMin ? `RSA of ${modulusLength} bits, and not of ${rsaBitsMin} or more` : undefined
  if (key?.asymmetricKeyType !== 'ec') return undefined
  if (namedCurve === undefined) return 'its curve has no name'
  // The first number of three digits in the name of a curve is its size; the few curves without one are weak or unused.
  const bits = Number(/\d{3}/.exec(namedCurve)?.[0] ?? 0)
  return bits < ecBitsMin ? `the curve ${namedCurve} is not known to have ${ecBitsMin} bits or more` : undefined
}

/** Returns why a signature by this certificate with these digests is not accepted; undefined if it is. */
export const weaknessOf = (
  digests: readonly DigestAlgorithm[],
  certificate: Certificate,
  policy: AlgorithmPolicy,
): string | undefined => weakDigest(digests, policy) ?? weakKey(certificate, policy)
