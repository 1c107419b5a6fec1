// Judges the signer of a CMS: checks attributes, content type, digest, certificate and signature value, in this order.
import { timingSafeEqual } from 'node:crypto'
import type { AlgorithmPolicy } from '../../contract/signatures/algorithm-policy.js'
import type { IntegrityCheck } from '../../contract/signatures/verification.js'
import { definite } from '../asn1/der.js'
import { type Element, encodingOf } from '../asn1/element.js'
import { type Certificate, parseCertificates } from '../certificates/certificate.js'
import { weakDigest, weakKey } from './algorithm-strength.js'
import { type Attributes, attributeOids, contentTypeOf, messageDigestOf, signingTimeOf } from './attributes.js'
import { CmsFailure, parseFor, requireSupported } from './cms-failure.js'
import { type DigestAlgorithm, digestByIdentifier, shownDigest } from './digest-algorithm.js'
import { type SignatureScheme, schemeOf } from './signature-scheme.js'
import { isSignedBy, isSignedInPieces } from './signature-value.js'
import type { SignedData, SignerId } from './signed-data.js'
import { namesCertificate, signingCertificateIds } from './signing-certificate.js'

export interface SignerRequirements {
  readonly contentType: string
  /**
   * Rule for the attributes signing-certificate and signing-certificate-v2. `undecided`: without one of them the
   * verdict is indeterminate.
   */
  readonly signingCertificate: 'optional' | 'undecided' | 'required'
  /** Policy that a new signature must meet, which must have signed attributes, too; undefined for one of a file. */
  readonly policy: AlgorithmPolicy | undefined
}

/** Content that is signed. */
export interface SignedContent {
  /** Throws `CmsFailure` for an algorithm whose digest is not available. */
  digestOf(algorithm: DigestAlgorithm): Uint8Array
  pieces(): Iterable<Uint8Array>
}

export interface JudgedSigner {
  readonly certificate: Certificate
  /** Digest algorithms on which the signature rests. */
  readonly digests: readonly DigestAlgorithm[]
  readonly signingTime: Date | undefined
}

export const contentTypes = { data: '1.2.840.113549.1.7.1', timestamp: '1.2.840.113549.1.9.16.1.4' } as const

/** Returns the certificates that the signer may have, those of the CMS before others. */
export function signerCandidates(cms: SignedData, others: readonly Certificate[]): readonly Certificate[] {
  const isSigner = signerTest(cms.signer.id)
  return [...parseCertificates(cms.certificates), ...others].filter(isSigner)
}

/** Judges the signer. Throws `CmsFailure`. `candidates`: certificates with the identifier of the signer. */
export function judgeSigner(
  cms: SignedData,
  content: SignedContent,
  requirements: SignerRequirements,
  candidates: readonly Certificate[],
): JudgedSigner {
  const { signedAttributes, digestAlgorithm: identifier } = cms.signer
  const digestAlgorithm = digestByIdentifier(identifier)
  const { policy } = requirements
  if (signedAttributes === undefined && policy !== undefined)
    throw new CmsFailure('signed-attributes', 'The CMS has no signed attributes')
  checkContentType(cms, requirements, signedAttributes?.values)
  if (digestAlgorithm === undefined)
    throw new CmsFailure(
      'message-digest',
      `The digest algorithm ${identifier.oid} is not supported`,
      policy === undefined ? 'indeterminate' : 'broken',
    )
  const signingTime = signedAttributes && checkDigest(signedAttributes.values, digestAlgorithm, content)
  const scheme = supportedScheme(cms, digestAlgorithm)
  checkDigestOfScheme(scheme, digestAlgorithm, requirements)
  if (policy !== undefined) refuseWeak('message-digest', weakDigest([digestAlgorithm], policy))
  const [certificate] = namedCertificates(signedAttributes?.values, requirements, candidates)
  if (certificate === undefined)
    throw new CmsFailure(
      'signing-certificate',
      'The certificate of the signer is missing',
      policy === undefined ? 'indeterminate' : 'broken',
    )
  if (policy !== undefined) refuseWeak('signing-certificate', weakKey(certificate, policy))
  const isSigned = requireSupported(() =>
    signedAttributes === undefined
      ? isSignedInPieces(certificate.key(), scheme, content.pieces(), cms.signer.signature)
      : messagesOf(signedAttributes.element).some((message) =>
          isSignedBy(certificate.key(), scheme, message, cms.signer.signature),
        ),
  )
  if (!isSigned)
    throw new CmsFailure('signature-value', 'The signature value does not match the certificate and the signed bytes')
  return { certificate, digests: [digestAlgorithm], signingTime }
}

function refuseWeak(check: IntegrityCheck, weakness: string | undefined): void {
  if (weakness !== undefined) throw new CmsFailure(check, weakness)
}

function checkContentType(
  cms: SignedData,
  { contentType, policy }: SignerRequirements,
  attributes: Attributes | undefined,
): void {
  const attribute = attributes && parseFor('signed-attributes', 'The content type', () => contentTypeOf(attributes))
  if (attributes !== undefined && attribute === undefined)
    throw new CmsFailure('signed-attributes', 'The signed attributes have no content type')
  if (cms.contentType !== contentType || (attribute !== undefined && attribute !== contentType))
    throw new CmsFailure('content-type', `The signed content has the type ${attribute ?? cms.contentType}`)
  if (policy !== undefined && contentType === contentTypes.data && cms.content !== undefined)
    throw new CmsFailure('content-type', 'The CMS contains its content instead of being detached')
}

/** Returns the signing time that the attributes claim. */
function checkDigest(attributes: Attributes, algorithm: DigestAlgorithm, content: SignedContent): Date | undefined {
  const { claimed, signingTime } = parseFor('signed-attributes', 'A signed attribute', () => ({
    claimed: messageDigestOf(attributes),
    signingTime: signingTimeOf(attributes),
  }))
  if (claimed === undefined) throw new CmsFailure('signed-attributes', 'The signed attributes have no message digest')
  const actual = content.digestOf(algorithm)
  if (actual.length !== claimed.length || !timingSafeEqual(actual, claimed))
    throw new CmsFailure('message-digest', 'The digest of the signed bytes differs from the one that was signed')
  return signingTime
}

function supportedScheme({ signer }: SignedData, digest: DigestAlgorithm): SignatureScheme {
  return parseFor('signature-value', 'The signature algorithm', () =>
    requireSupported(() => schemeOf(signer.signatureAlgorithm, digest)),
  )
}

/** Digest algorithms that EdDSA is used with (RFC 8419, 3.1; ISO/TS 32002). */
const eddsaDigests = { ed25519: 'sha512', ed448: 'shake256' } as const
const eddsaNames = { ed25519: 'Ed25519', ed448: 'Ed448' } as const

/** Refuses a signature value with another digest than that of the content (RFC 5652, 5.4; RFC 4056, 3; RFC 8419, 3.1). */
function checkDigestOfScheme(scheme: SignatureScheme, digest: DigestAlgorithm, { policy }: SignerRequirements): void {
  if (scheme.kind !== 'eddsa') {
    if (scheme.digest === digest) return
    const [value, content] = [shownDigest(scheme.digest), shownDigest(digest)]
    throw new CmsFailure(
      'signature-value',
      `The signature value is made with ${value}, but the signer states ${content} for the signature and its content`,
    )
  }
  const wanted = eddsaDigests[scheme.curve]
  if (wanted === digest) return
  throw new CmsFailure(
    'message-digest',
    `${eddsaNames[scheme.curve]} is used with ${shownDigest(wanted)}, and not with ${shownDigest(digest)}`,
    policy === undefined ? 'indeterminate' : 'broken',
  )
}

/**
 * Returns the candidates that the attributes name. If the attributes name none, and need not, returns all candidates.
 */
function namedCertificates(
  attributes: Attributes | undefined,
  { signingCertificate }: SignerRequirements,
  candidates: readonly Certificate[],
): readonly Certificate[] {
  const read = <Value>(work: () => Value) =>
    parseFor('signing-certificate', 'The attribute that names the signing certificate', work)
  const ids = attributes === undefined ? [] : read(() => signingCertificateIds(attributes))
  if (ids.length === 0) {
    if (signingCertificate === 'optional') return candidates
    const verdict = signingCertificate === 'required' ? 'broken' : 'indeterminate'
    const names = `${attributeOids.signingCertificateV2} (signing-certificate-v2)`
    throw new CmsFailure('signing-certificate', `The signed attributes have no ${names}`, verdict)
  }
  const named = candidates.filter((certificate) => read(() => ids.every((id) => namesCertificate(id, certificate))))
  if (named.length === 0 && candidates.length > 0)
    throw new CmsFailure('signing-certificate', 'The certificate is not the one that the signer named')
  return named
}

/**
 * Returns the messages that may be signed: the attributes as a set, as encoded and in DER, because signers that encode
 * in BER sign the DER encoding.
 */
function messagesOf(attributes: Element): readonly Uint8Array[] {
  const setOf = (bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.from([0x31]), bytes.subarray(1)])
  const messages = [
    ...(attributes.isIndefinite ? [] : [encodingOf(attributes)]),
    parseFor('signed-attributes', 'The signed attributes', () => definite(attributes)),
  ].map(setOf)
  const [first, second] = messages
  return first && second && Buffer.compare(first, second) === 0 ? [first] : messages
}

function signerTest(id: SignerId): (certificate: Certificate) => boolean {
  if (id.kind === 'issuer')
    return ({ issuer, serialNumber }) => issuer.key === id.issuer.key && serialNumber === id.serialNumber
  return ({ keyIdentifier }) => keyIdentifier !== undefined && Buffer.compare(keyIdentifier, id.keyIdentifier) === 0
}
