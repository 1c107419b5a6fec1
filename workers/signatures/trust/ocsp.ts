// Reads the status of a certificate from an OCSP response (RFC 6960, 4.2).
import { createHash } from 'node:crypto'
import { algorithmIdentifier } from '../asn1/algorithm-identifier.js'
import { type Element, encodingOf, isContext, isUniversal, onlyElement, tags } from '../asn1/element.js'
import { explicit, listOf, Members } from '../asn1/members.js'
import { bytesOfBits, integerHex, octetsOf, oidOf, smallInteger, timeOf } from '../asn1/values.js'
import { type Certificate, parseCertificates } from '../certificates/certificate.js'
import { type DistinguishedName, distinguishedName } from '../certificates/distinguished-name.js'
import { digestByOid, digestOf } from '../cms/digest-algorithm.js'
import { usageProblem } from './certificate-use.js'
import type { RevocationStatus } from './revocation-status.js'
import type { VerificationWork } from './verification-work.js'

const basicResponse = '1.3.6.1.5.5.7.48.1.1'
const respondersMax = 5

/**
 * Returns the status; undefined if the response does not cover the certificate, or its signer is not authorised. Throws
 * `Asn1Error`.
 */
export function ocspStatus(
  encoding: Uint8Array,
  certificate: Certificate,
  issuer: Certificate,
  work: VerificationWork,
): RevocationStatus | undefined {
  work.takeParsing(encoding.length)
  const basic = basicOf(encoding)
  if (basic === undefined) return undefined
  const outer = Members.of(onlyElement(basic), 'BasicOCSPResponse')
  const data = outer.any()
  const signatureAlgorithm = algorithmIdentifier(outer.any())
  const signature = bytesOfBits(outer.take(tags.bitString))
  const certificates = outer.context(0)
  outer.end()
  const { responder, producedAt, responses } = responseData(data)
  const single = responses.find((response) => isAbout(response, certificate, issuer))
  if (single === undefined) return undefined
  const embedded = certificates === undefined ? [] : listOf(explicit(certificates), tags.sequence, 'certificates')
  const candidates = [issuer, ...parseCertificates(embedded.map(encodingOf), respondersMax)]
  const signed = { signed: encodingOf(data), signature, signatureAlgorithm }
  const isAuthentic = candidates.some(
    (one) =>
      isNamed(responder, one) && isResponder(one, issuer, producedAt, work) && work.isSignedBy(encoding, signed, one),
  )
  return isAuthentic ? statusOf(single) : undefined
}

/** Returns the encoded BasicOCSPResponse; undefined if the response reports an error or has another type. */
function basicOf(encoding: Uint8Array): Uint8Array | undefined {
  const members = Members.of(onlyElement(encoding), 'OCSPResponse')
  if (smallInteger(members.take(tags.enumerated)) !== 0) return undefined
  const bytes = members.context(0)
  const inner = Members.of(bytes && explicit(bytes), 'ResponseBytes')
  if (oidOf(inner.any()) !== basicResponse) return undefined
  return octetsOf(inner.take(tags.octetString))
}

type Responder =
  | { readonly kind: 'name'; readonly name: DistinguishedName }
  | { readonly kind: 'key'; readonly digest: Uint8Array }

function responseData(element: Element) {
  const members = Members.of(element, 'ResponseData')
  members.context(0)
  const id = members.any()
  const producedAt = timeOf(members.take(tags.generalizedTime))
  const responses = listOf(members.any(), tags.sequence, 'responses')
  members.context(1)
  members.end()
  const responder: Responder = isContext(id, 1)
    ? { kind: 'name', name: distinguishedName(explicit(id)) }
    : { kind: 'key', digest: octetsOf(explicit(id)) }
  return { responder, producedAt, responses }
}

function isNamed(responder: Responder, { subject, publicKeyBits }: Certificate): boolean {
  if (responder.kind === 'name') return responder.name.key === subject.key
  return Buffer.compare(createHash('sha1').update(publicKeyBits).digest(), responder.digest) === 0
}

/** True for the issuer itself, and for a holder of a certificate from it for OCSP responses. */
function isResponder(candidate: Certificate, issuer: Certificate, at: Date, work: VerificationWork): boolean {
  if (candidate.sha256 === issuer.sha256) return true
  const use = { isIssuer: false, below: 0, isAnchor: false, purpose: 'ocsp' } as const
  return (
    candidate.issuer.key === issuer.subject.key &&
    at >= candidate.notBefore &&
    at <= candidate.notAfter &&
    usageProblem(candidate, use) === undefined &&
    work.isIssuedBy(candidate, issuer)
  )
}

function isAbout(response: Element, certificate: Certificate, issuer: Certificate): boolean {
  const id = Members.of(Members.of(response, 'SingleResponse').any(), 'CertID')
  const algorithm = digestByOid(algorithmIdentifier(id.any()).oid)
  const [name, key] = [octetsOf(id.take(tags.octetString)), octetsOf(id.take(tags.octetString))]
  const serialNumber = integerHex(id.take(tags.integer))
  return (
    algorithm !== undefined &&
    serialNumber === certificate.serialNumber &&
    Buffer.compare(name, digestOf(algorithm, issuer.subjectEncoding)) === 0 &&
    Buffer.compare(key, digestOf(algorithm, issuer.publicKeyBits)) === 0
  )
}

/** Returns undefined if the responder does not know the certificate. */
function statusOf(response: Element): RevocationStatus | undefined {
  const members = Members.of(response, 'SingleResponse')
  members.any()
  const status = members.any()
  const thisUpdate = timeOf(members.take(tags.generalizedTime))
  const next = members.context(0)
  const validity = { thisUpdate, nextUpdate: next && timeOf(explicit(next)) }
  if (isContext(status, 0)) return { ...validity, revokedAt: undefined }
  if (!isContext(status, 1)) return undefined
  const revokedAt = Members.ofTagged(status, 'RevokedInfo').any()
  return { ...validity, revokedAt: isUniversal(revokedAt, tags.generalizedTime) ? timeOf(revokedAt) : thisUpdate }
}
