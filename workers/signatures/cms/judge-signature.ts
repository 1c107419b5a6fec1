// Judges whether the bytes that a signature covers are intact, for every `/SubFilter` of ISO 32000-2.
import type { Integrity } from '../../contract/signatures/verification.js'
import { Asn1Error, firstElement, isUniversal, tags } from '../asn1/element.js'
import { octetsOf } from '../asn1/values.js'
import { type Certificate, parseCertificates } from '../certificates/certificate.js'
import type { SignatureInput } from '../trust/verification-input.js'
import { CmsFailure, parseFor, requireSupported } from './cms-failure.js'
import { type DigestAlgorithm, digestOf } from './digest-algorithm.js'
import { contentTypes, judgeSigner, type SignedContent, signerCandidates } from './judge-signer.js'

import { digestInRsa } from './signature-value.js'
import { parseSignedData, type SignedData } from './signed-data.js'
import { judgeToken } from './timestamp-token.js'

export interface JudgedSignature {
  readonly integrity: Integrity
  /** Certificate whose key made the signature value; for a signature that is not intact, the one that it names. */
  readonly signer: Certificate | undefined
  /** Parsed CMS; undefined if it cannot be read, and for `adbe.x509.rsa_sha1`, which has none. */
  readonly cms: SignedData | undefined
  /** Certificates that the signature contains, including the signer's. */
  readonly certificates: readonly Certificate[]
  /** Time that the signer claims. */
  readonly signingTime: Date | undefined
  /** Time of the timestamp authority; undefined except for an intact `ETSI.RFC3161`. */
  readonly timestampTime: Date | undefined
  /** Digest algorithms on which the signature rests. */
  readonly digests: readonly DigestAlgorithm[]
}

/** Facts about a signature, filled in while it is judged: those before a failure stay. */
type Facts = { -readonly [Key in Exclude<keyof JudgedSignature, 'integrity'>]?: JudgedSignature[Key] }
type Judge = (input: SignatureInput, known: readonly Certificate[], facts: Facts) => void

const judges: Readonly<Record<string, Judge>> = {
  'adbe.pkcs7.detached': (input, known, facts) => judgeDetached(input, known, facts, 'optional'),
  'ETSI.CAdES.detached': (input, known, facts) => judgeDetached(input, known, facts, 'undecided'),
  'ETSI.RFC3161': judgeTimestamp,
  'adbe.pkcs7.sha1': judgeEncapsulatedDigest,
  'adbe.x509.rsa_sha1': judgePlainRsa,
}

/** Judges a signature. Never throws because of its content. `known`: certificates from elsewhere in the file. */
export function judgeSignature(input: SignatureInput, known: readonly Certificate[]): JudgedSignature {
  const facts: Facts = {}
  const integrity = integrityOf(() => {
    if (input.coverage === 'malformed')
      throw new CmsFailure('coverage', 'The byte range contradicts the structure of the file')
    const judge = judges[input.subFilter ?? '']
    if (judge === undefined)
      throw new CmsFailure('encoding', `The subfilter ${input.subFilter ?? '(none)'} is not supported`, 'indeterminate')
    judge(input, known, facts)
    if (input.coverage === 'partial')
      throw new CmsFailure('coverage', 'The signature does not cover all bytes of its revision', 'indeterminate')
  })
  return {
    integrity,
    signer: facts.signer,
    cms: facts.cms,
    certificates: facts.certificates ?? [],
    signingTime: facts.signingTime,
    timestampTime: facts.timestampTime,
    digests: facts.digests ?? [],
  }
}

function judgeDetached(
  input: SignatureInput,
  known: readonly Certificate[],
  facts: Facts,
  signingCertificate: 'optional' | 'undecided',
): void {
  const cms = paddedCms(input.contents)
  if (cms.content !== undefined && cms.content.length > 0)
    throw new CmsFailure('content-type', 'The CMS contains its content instead of being detached')
  judgeContent(cms, input.signed, signingCertificate, known, facts)
}

/** Judges a CMS whose content is the SHA-1 digest of the covered bytes. */
function judgeEncapsulatedDigest(input: SignatureInput, known: readonly Certificate[], facts: Facts): void {
  const cms = paddedCms(input.contents)
  const { content } = cms
  if (content === undefined) throw new CmsFailure('content-type', 'The CMS does not contain the digest')
  const inner = { digestOf: (algorithm: DigestAlgorithm) => digestOf(algorithm, content), pieces: () => [content] }
  judgeContent(cms, inner, 'optional', known, facts)
  if (Buffer.compare(input.signed.digestOf('sha1'), content) !== 0)
    throw new CmsFailure('message-digest', 'The digest of the signed bytes differs from the one that was signed')
  facts.digests = ['sha1', ...(facts.digests ?? [])]
}

/** Judges the signer of a CMS over this content. */
function judgeContent(
  cms: SignedData,
  content: SignedContent,
  signingCertificate: 'optional' | 'undecided',
  known: readonly Certificate[],
  facts: Facts,
): void {
  const candidates = recordCertificates(cms, known, facts)
  const requirements = { contentType: contentTypes.data, signingCertificate, policy: undefined }
  const { certificate, signingTime, digests } = judgeSigner(cms, content, requirements, candidates)
  facts.signer = certificate
  facts.signingTime = signingTime
  facts.digests = digests
}

function judgeTimestamp(input: SignatureInput, known: readonly Certificate[], facts: Facts): void {
  const cms = paddedCms(input.contents)
  const candidates = recordCertificates(cms, known, facts)
  const token = judgeToken(cms, (algorithm) => input.signed.digestOf(algorithm), undefined, candidates)
  facts.signer = token.certificate
  facts.timestampTime = token.info.time
  facts.digests = token.digests
}

/** Judges a PKCS #1 signature, which `/Contents` has in an octet string. `/Cert` has the certificates. */
function judgePlainRsa(input: SignatureInput, _known: readonly Certificate[], facts: Facts): void {
  const certificates = parseCertificates(input.certificates ?? [])
  const [signer] = certificates
  facts.certificates = certificates
  facts.signer = signer
  const value = parseFor('encoding', 'The signature', () => {
    const element = firstElement(input.contents)
    if (!isUniversal(element, tags.octetString))
      throw new CmsFailure('encoding', 'The signature is not an octet string')
    refuseTrailing(input.contents, element.end)
    return octetsOf(element)
  })
  if (signer === undefined)
    throw new CmsFailure('signing-certificate', 'The certificate of the signer is missing', 'indeterminate')
  const digests = ['sha1', 'sha256', 'sha384', 'sha512'] as const
  const used = requireSupported(() => digestInRsa(signer.key(), value, digests, (name) => input.signed.digestOf(name)))
  if (used === undefined)
    throw new CmsFailure('signature-value', 'The signature value does not match the certificate and the signed bytes')
  facts.digests = [used]
}

/** Records the content of a CMS before it is checked, and returns the certificates that its signer may have. */
function recordCertificates(cms: SignedData, known: readonly Certificate[], facts: Facts): readonly Certificate[] {
  facts.cms = cms
  facts.certificates = parseCertificates(cms.certificates)
  const candidates = signerCandidates(cms, known)
  facts.signer = candidates[0]
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
