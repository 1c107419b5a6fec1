// Reads the attributes that name the signer's certificate by its digest (RFC 5035). Without them, another certificate
// of the same key could be put in its place.
import { timingSafeEqual } from 'node:crypto'
import { algorithmIdentifier } from '../asn1/algorithm-identifier.js'
import { type Element, isContext, tags } from '../asn1/element.js'
import { explicit, listOf, Members } from '../asn1/members.js'
import { integerHex, octetsOf } from '../asn1/values.js'
import type { Certificate } from '../certificates/certificate.js'
import { distinguishedName } from '../certificates/distinguished-name.js'
import { type Attributes, attributeOids, single } from './attributes.js'
import { CmsFailure } from './cms-failure.js'
import { type DigestAlgorithm, digestByIdentifier, digestOf } from './digest-algorithm.js'

interface CertificateId {
  readonly algorithm: DigestAlgorithm
  readonly digest: Uint8Array
  readonly issuerSerial: Element | undefined
}

/** Returns the identifiers in the attributes of both versions; none if the signer did not name its certificate. */
export function signingCertificateIds(attributes: Attributes): readonly CertificateId[] {
  const ids = [
    single(attributes, attributeOids.signingCertificate, (value) => firstId(value, versionOne)),
    single(attributes, attributeOids.signingCertificateV2, (value) => firstId(value, versionTwo)),
  ]
  return ids.filter((id) => id !== undefined)
}

export function namesCertificate(
  { algorithm, digest, issuerSerial }: CertificateId,
  certificate: Certificate,
): boolean {
  const actual = digestOf(algorithm, certificate.der)
  return (
    actual.length === digest.length && timingSafeEqual(actual, digest) && isIssuerSerialOf(issuerSerial, certificate)
  )
}

/** Reads the first identifier, that of the signer; others limit the chain and are not evaluated. */
function firstId(value: Element, read: (element: Element) => CertificateId): CertificateId {
  const members = Members.of(value, 'SigningCertificate')
  const [first] = listOf(members.any(), tags.sequence, 'SigningCertificate')
  if (first === undefined) throw new CmsFailure('signing-certificate', 'The signing certificate is not named')
  return read(first)
}

function versionOne(element: Element): CertificateId {
  const members = Members.of(element, 'ESSCertID')
  const id = { algorithm: 'sha1' as const, digest: octetsOf(members.take(tags.octetString)) }
  return { ...id, issuerSerial: members.maybeAny() }
}

function versionTwo(element: Element): CertificateId {
  const members = Members.of(element, 'ESSCertIDv2')
  const given = members.maybe(tags.sequence)
  const identifier = given && algorithmIdentifier(given)
  const algorithm = identifier === undefined ? 'sha256' : digestByIdentifier(identifier)
  if (algorithm === undefined)
    throw new CmsFailure(
      'signing-certificate',
      `The digest algorithm ${identifier?.oid} is not supported`,
      'indeterminate',
    )
  return { algorithm, digest: octetsOf(members.take(tags.octetString)), issuerSerial: members.maybeAny() }
}

function isIssuerSerialOf(issuerSerial: Element | undefined, certificate: Certificate): boolean {
  if (issuerSerial === undefined) return true
  const members = Members.of(issuerSerial, 'IssuerSerial')
  const names = listOf(members.any(), tags.sequence, 'GeneralNames')
  const serialNumber = integerHex(members.take(tags.integer))
  const issuers = names.filter((name) => isContext(name, 4)).map((name) => distinguishedName(explicit(name)).key)
  return serialNumber === certificate.serialNumber && issuers.every((key) => key === certificate.issuer.key)
}
