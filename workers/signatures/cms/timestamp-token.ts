// Judges timestamp tokens (RFC 3161, 2.4.2): a digest, signed with the time at which an authority received it.
import { timingSafeEqual } from 'node:crypto'
import type { AlgorithmPolicy } from '../../contract/signatures/algorithm-policy.js'
import { algorithmIdentifier } from '../asn1/algorithm-identifier.js'
import { onlyElement, tags } from '../asn1/element.js'
import { Members } from '../asn1/members.js'
import { integerHex, octetsOf, timeOf } from '../asn1/values.js'
import type { Certificate } from '../certificates/certificate.js'
import { weakDigest } from './algorithm-strength.js'
import { CmsFailure, parseFor } from './cms-failure.js'
import { type DigestAlgorithm, digestByIdentifier, digestOf } from './digest-algorithm.js'
import { contentTypes, type JudgedSigner, judgeSigner } from './judge-signer.js'
import type { SignedData } from './signed-data.js'

export interface TimestampInfo {
  readonly imprintAlgorithm: DigestAlgorithm
  readonly imprint: Uint8Array
  readonly time: Date
  /** Nonce in lower-case hex; undefined if the request had none. */
  readonly nonce: string | undefined
}

/** Throws `CmsFailure`. */
export function timestampInfo({ contentType, content }: SignedData): TimestampInfo {
  if (contentType !== contentTypes.timestamp)
    throw new CmsFailure('content-type', `The signed content has the type ${contentType} and is not a timestamp`)
  if (content === undefined) throw new CmsFailure('content-type', 'The timestamp does not contain its content')
  return parseFor('encoding', 'The timestamp', () => {
    const members = Members.of(onlyElement(content), 'TSTInfo')
    members.take(tags.integer)
    members.take(tags.oid)
    const imprint = Members.of(members.take(tags.sequence), 'MessageImprint')
    const identifier = algorithmIdentifier(imprint.any())
    const digest = octetsOf(imprint.take(tags.octetString))
    imprint.end()
    members.take(tags.integer)
    const time = timeOf(members.take(tags.generalizedTime))
    members.maybe(tags.sequence)
    members.maybe(tags.boolean)
    const nonce = members.maybe(tags.integer)
    members.context(0)
    members.context(1)
    members.end()
    const imprintAlgorithm = digestByIdentifier(identifier)
    if (imprintAlgorithm === undefined)
      throw new CmsFailure('message-digest', `The digest algorithm ${identifier.oid} is not supported`, 'indeterminate')
    return { imprintAlgorithm, imprint: digest, time, nonce: nonce && integerHex(nonce) }
  })
}

export interface JudgedToken extends JudgedSigner {
  readonly info: TimestampInfo
}

/**
 * Checks that a timestamp covers bytes, of which `stamped` returns digests. Throws `CmsFailure`. `policy`: that of a new
 * timestamp.
 */
export function judgeToken(
  cms: SignedData,
  stamped: (algorithm: DigestAlgorithm) => Uint8Array,
  policy: AlgorithmPolicy | undefined,
  candidates: readonly Certificate[],
): JudgedToken {
  const info = timestampInfo(cms)
  const actual = stamped(info.imprintAlgorithm)
  if (actual.length !== info.imprint.length || !timingSafeEqual(actual, info.imprint))
    throw new CmsFailure('message-digest', 'The timestamp covers other bytes')
  const weakness = policy && weakDigest([info.imprintAlgorithm], policy)
  if (weakness !== undefined) throw new CmsFailure('message-digest', weakness)
  const content = cms.content ?? new Uint8Array()
  const signed = { digestOf: (algorithm: DigestAlgorithm) => digestOf(algorithm, content), pieces: () => [content] }
  const requirements = {
    contentType: contentTypes.timestamp,
    signingCertificate: policy === undefined ? 'undecided' : 'required',
    policy,
  } as const
  const signer = judgeSigner(cms, signed, requirements, candidates)
  return { ...signer, info, digests: [info.imprintAlgorithm, ...signer.digests] }
}
