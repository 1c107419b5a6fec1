// Parses X.509 certificates (RFC 5280), as far as signatures and their chains need it.
import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import type { CertificateFacts } from '../../contract/signatures/verification.js'
import { type AlgorithmIdentifier, algorithmIdentifier } from '../asn1/algorithm-identifier.js'
import { Asn1Error, type Element, encodingOf, onlyElement, tags } from '../asn1/element.js'
import { explicit, listOf, Members } from '../asn1/members.js'
import { booleanOf, bytesOfBits, integerHex, octetsOf, oidOf, timeOf } from '../asn1/values.js'
import { type DistinguishedName, distinguishedName } from './distinguished-name.js'

export interface Extension {
  readonly isCritical: boolean
  /** DER of the extension's own structure. */
  readonly value: Uint8Array
}

export interface Certificate {
  readonly der: Uint8Array
  readonly subject: DistinguishedName
  readonly issuer: DistinguishedName
  /** Serial number in lower-case hex. */
  readonly serialNumber: string
  readonly notBefore: Date
  readonly notAfter: Date
  /** Extensions by object identifier. */
  readonly extensions: ReadonlyMap<string, Extension>
  /** Encoding of the part that is signed. */
  readonly signed: Uint8Array
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  /** Value of the bit string of the public key, which OCSP hashes. */
  readonly publicKeyBits: Uint8Array
  /** Encoding of the subject name, which OCSP hashes. */
  readonly subjectEncoding: Uint8Array
  /** SHA-256 in lower-case hex. */
  readonly sha256: string
  /** Identifiers of its key and of the issuer's key; undefined if the certificate does not give them. */
  readonly keyIdentifier: Uint8Array | undefined
  readonly issuerKeyIdentifier: Uint8Array | undefined
  /** Returns the public key; undefined if its algorithm is not supported. */
  key(): KeyObject | undefined
}

/** Throws `Asn1Error`. */
export function parseCertificate(der: Uint8Array): Certificate {
  const outer = Members.of(onlyElement(der), 'Certificate')
  const signed = outer.any()
  const signatureAlgorithm = algorithmIdentifier(outer.any())
  const signature = bytesOfBits(outer.take(tags.bitString))
  outer.end()
  const members = Members.of(signed, 'TBSCertificate')
  members.context(0)
  const serialNumber = integerHex(members.take(tags.integer))
  members.take(tags.sequence)
  const issuer = distinguishedName(members.take(tags.sequence))
  const validity = Members.of(members.take(tags.sequence), 'Validity')
  const [notBefore, notAfter] = [timeOf(validity.any()), timeOf(validity.any())]
  const subject = members.take(tags.sequence)
  const publicKey = members.take(tags.sequence)
  members.context(1)
  members.context(2)
  const extensions = members.context(3)
  members.end()
  const extensionMap: Extensions = extensions === undefined ? new Map() : extensionsOf(explicit(extensions))
  const keyMembers = Members.of(publicKey, 'SubjectPublicKeyInfo')
  keyMembers.take(tags.sequence)
  return {
    der,
    subject: distinguishedName(subject),
    issuer,
    serialNumber,
    notBefore,
    notAfter,
    extensions: extensionMap,
    signed: encodingOf(signed),
    signatureAlgorithm,
    signature,
    publicKeyBits: bytesOfBits(keyMembers.take(tags.bitString)),
    subjectEncoding: encodingOf(subject),
    sha256: createHash('sha256').update(der).digest('hex'),
    keyIdentifier: keyIdentifierOf(extensionMap),
    issuerKeyIdentifier: issuerKeyIdentifierOf(extensionMap),
    key: () => keyOf(encodingOf(publicKey)),
  }
}

/** Parses the first `max` encodings and skips those that cannot be parsed: chains then lack these certificates. */
export function parseCertificates(encodings: readonly Uint8Array[], max = 100): readonly Certificate[] {
  return encodings.slice(0, max).flatMap((encoding) => {
    try {
      return [parseCertificate(encoding)]
    } catch {
      return []
    }
  })
}

/** Returns the extensions of a certificate, CRL or OCSP response, by object identifier. */
export function extensionsOf(list: Element): ReadonlyMap<string, Extension> {
  const extensions = new Map<string, Extension>()
  for (const element of listOf(list, tags.sequence, 'Extensions')) {
    const members = Members.of(element, 'Extension')
    const oid = oidOf(members.any())
    const critical = members.maybe(tags.boolean)
    const value = octetsOf(members.take(tags.octetString))
    members.end()
    // An extension occurs only once (RFC 5280, 4.2). Readers would differ in which of two they obey.
    if (extensions.has(oid)) throw new Asn1Error('an extension occurs twice')
    extensions.set(oid, { isCritical: critical ? booleanOf(critical) : false, value })
  }
  return extensions
}

type Extensions = ReadonlyMap<string, Extension>

function keyIdentifierOf(extensions: Extensions): Uint8Array | undefined {
  const extension = extensions.get('2.5.29.14')
  return extension && octetsOf(onlyElement(extension.value))
}

function issuerKeyIdentifierOf(extensions: Extensions): Uint8Array | undefined {
  const extension = extensions.get('2.5.29.35')
  const identifier = extension && Members.of(onlyElement(extension.value), 'AuthorityKeyIdentifier').context(0)
  return identifier && octetsOf(identifier)
}

export const factsOf = (certificate: Certificate): CertificateFacts => ({
  subject: certificate.subject.text,
  issuer: certificate.issuer.text,
  serialNumber: certificate.serialNumber,
  notBefore: isoOf(certificate.notBefore),
  notAfter: isoOf(certificate.notAfter),
  sha256: certificate.sha256,
})

export const isoOf = (date: Date): string => date.toISOString()

function keyOf(publicKey: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}
