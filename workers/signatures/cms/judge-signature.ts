// Whether the bytes that a signature of a file covers are as they were signed, for every `/SubFilter` of ISO 32000-2.
import type { Integrity } from '../../contract/signatures/verification.js'
import { Asn1Error, firstElement, is, tags } from '../asn1/element.js'
import { octetsOf } from '../asn1/values.js'
import { type Certificate, parseCertificates } from '../certificates/certificate.js'
import type { SignatureInput } from '../trust/verification-input.js'
import { CmsFailure, structured } from './cms-failure.js'
import { type DigestAlgorithm, digestOf, isWeak, shownDigest } from './digest-algorithm.js'
import { contentTypes, judgeSigner, type SignedContent, signerCandidates } from './judge-signer.js'
import { UnsupportedAlgorithm } from './signature-scheme.js'
import { digestInRsa } from './signature-value.js'
import { parseSignedData, type SignedData } from './signed-data.js'
import { judgeToken } from './timestamp-token.js'

export interface JudgedSignature {
  readonly integrity: Integrity
  /** The certificate that made the signature value; of a signature that is not intact, the one it names. */
  readonly signer: Certificate | undefined
  /** Undefined if it cannot be read, and for `adbe.x509.rsa_sha1`. */
  readonly cms: SignedData | undefined
  /** Certificates that came with the signature, the signer's among them. */
  readonly certificates: readonly Certificate[]
  /** What the signer claims. */
  readonly signingTime: Date | undefined
  /** What the authority says; undefined for anything but an intact `ETSI.RFC3161`. */
  readonly timestampTime: Date | undefined
  /** A digest algorithm that no longer prevents two documents with the same signature. */
  readonly weakDigest: DigestAlgorithm | undefined
}

type Found = Partial<Omit<JudgedSignature, 'integrity'>>
type Judge = (input: SignatureInput, known: readonly Certificate[], found: Mutable<Found>) => void
type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

const judges: Readonly<Record<string, Judge>> = {
  'adbe.pkcs7.detached': (input, known, found) => detached(input, known, found, 'optional'),
  'ETSI.CAdES.detached': (input, known, found) => detached(input, known, found, 'undecided'),
  'ETSI.RFC3161': timestamp,
  'adbe.pkcs7.sha1': encapsulatedDigest,
  'adbe.x509.rsa_sha1': plainRsa,
}

/** `known` are certificates from elsewhere in the file. Never throws for what the signature contains. */
export function judgeSignature(input: SignatureInput, known: readonly Certificate[]): JudgedSignature {
  const found: Mutable<Found> = {}
  const integrity = integrityOf(() => {
    if (input.coverage === 'malformed')
      throw new CmsFailure('coverage', 'The signed bytes are not those that the structure of the file asks for')
    const judge = judges[input.subFilter ?? '']
    if (judge === undefined)
      throw new CmsFailure('encoding', `The subfilter ${input.subFilter ?? '(none)'} is not supported`, 'indeterminate')
    judge(input, known, found)
    if (input.coverage === 'partial')
      throw new CmsFailure('coverage', 'The signature does not cover all bytes of its revision', 'indeterminate')
  })
  return {
    integrity: found.weakDigest && integrity.verdict === 'intact' ? remarked(integrity, found.weakDigest) : integrity,
    signer: found.signer,
    cms: found.cms,
    certificates: found.certificates ?? [],
    signingTime: found.signingTime,
    timestampTime: found.timestampTime,
    weakDigest: found.weakDigest,
  }
}

function detached(
  input: SignatureInput,
  known: readonly Certificate[],
  found: Mutable<Found>,
  signingCertificate: 'optional' | 'undecided',
): void {
  const cms = paddedCms(input.contents)
  if (cms.content !== undefined && cms.content.length > 0)
    throw new CmsFailure('content-type', 'The CMS contains its content instead of being detached')
  signedBy(cms, input.signed, signingCertificate, known, found)
}

/** The content of the CMS is the SHA-1 digest of the covered bytes. */
function encapsulatedDigest(input: SignatureInput, known: readonly Certificate[], found: Mutable<Found>): void {
  const cms = paddedCms(input.contents)
  const { content } = cms
  if (content === undefined) throw new CmsFailure('content-type', 'The CMS does not contain the digest')
  const inner = { digestOf: (algorithm: DigestAlgorithm) => digestOf(algorithm, content), pieces: () => [content] }
  signedBy(cms, inner, 'optional', known, found)
  if (Buffer.compare(input.signed.digestOf('sha1'), content) !== 0)
    throw new CmsFailure('message-digest', 'The digest of the signed bytes is another one than was signed')
  found.weakDigest = 'sha1'
}

function signedBy(
  cms: SignedData,
  content: SignedContent,
  signingCertificate: 'optional' | 'undecided',
  known: readonly Certificate[],
  found: Mutable<Found>,
): void {
  const candidates = note(cms, known, found)
  const requirements = { contentType: contentTypes.data, signingCertificate, isNew: false }
  const { certificate, signingTime, weakDigest } = judgeSigner(cms, content, requirements, candidates)
  found.signer = certificate
  found.signingTime = signingTime
  found.weakDigest = weakDigest
}

function timestamp(input: SignatureInput, known: readonly Certificate[], found: Mutable<Found>): void {
  const cms = paddedCms(input.contents)
  const candidates = note(cms, known, found)
  const token = judgeToken(cms, (algorithm) => input.signed.digestOf(algorithm), { isNew: false }, candidates)
  found.signer = token.certificate
  found.timestampTime = token.info.time
  found.weakDigest = token.weakDigest
}

/** `/Contents` is a PKCS #1 signature in an octet string, and `/Cert` has the certificates. */
function plainRsa(input: SignatureInput, _known: readonly Certificate[], found: Mutable<Found>): void {
  const certificates = parseCertificates(input.certificates ?? [])
  const [signer] = certificates
  found.certificates = certificates
  found.signer = signer
  const value = structured('encoding', 'The signature', () => {
    const element = firstElement(input.contents)
    if (!is(element, tags.octetString)) throw new CmsFailure('encoding', 'The signature is no octet string')
    refuseTrailing(input.contents, element.end)
    return octetsOf(element)
  })
  if (signer === undefined)
    throw new CmsFailure('signing-certificate', 'The certificate of the signer is not there', 'indeterminate')
  const digests = ['sha1', 'sha256', 'sha384', 'sha512'] as const
  const used = rsaDigest(() => digestInRsa(signer.key(), value, digests, (name) => input.signed.digestOf(name)))
  if (used === undefined)
    throw new CmsFailure('signature-value', 'The signature value is not one of this certificate over the signed bytes')
  found.weakDigest = isWeak(used) ? used : undefined
}

function rsaDigest<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (error instanceof UnsupportedAlgorithm) throw new CmsFailure('signature-value', error.message, 'indeterminate')
    throw error
  }
}

/** Notes what a CMS brings before anything of it is checked, and returns the certificates its signer may have. */
function note(cms: SignedData, known: readonly Certificate[], found: Mutable<Found>): readonly Certificate[] {
  found.cms = cms
  found.certificates = parseCertificates(cms.certificates)
  const candidates = signerCandidates(cms, known)
  found.signer = candidates[0]
  return candidates
}

/** Reads the CMS at the beginning of `/Contents`; the rest of the reserved bytes must be zeros. */
function paddedCms(contents: Uint8Array): SignedData {
  const cms = parseSignedData(contents)
  refuseTrailing(contents, cms.sizeBytes)
  return cms
}

function refuseTrailing(contents: Uint8Array, end: number): void {
  if (contents.subarray(end).some((byte) => byte !== 0))
    throw new CmsFailure('encoding', 'Something other than zeros follows the signature')
}

function integrityOf(work: () => void): Integrity {
  try {
    work()
    return { verdict: 'intact', check: null, reason: null }
  } catch (error) {
    if (error instanceof Asn1Error) return { verdict: 'broken', check: 'encoding', reason: 'The CMS cannot be read' }
    if (!(error instanceof CmsFailure)) throw error
    return { verdict: error.verdict, check: error.check, reason: error.message }
  }
}

const remarked = (integrity: Integrity, weak: DigestAlgorithm): Integrity => ({
  ...integrity,
  reason: `Signed with ${shownDigest(weak)}: another document with the same signature could have been made`,
})
