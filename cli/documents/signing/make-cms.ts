// Makes a detached CMS over a digest: signed attributes, certificates, signature value, and a timestamp of the value.
import { constants, createHash, type KeyObject, sign } from 'node:crypto'
import { der, oid } from '../../../workers/signatures/asn1/der.js'
import { contentOf, encodingOf, onlyElement, tags } from '../../../workers/signatures/asn1/element.js'
import { Members } from '../../../workers/signatures/asn1/members.js'
import { attributeOids } from '../../../workers/signatures/cms/attributes.js'
import { oidOfDigest } from '../../../workers/signatures/cms/digest-algorithm.js'
import { contentTypes } from '../../../workers/signatures/cms/judge-signer.js'
import type { SigningIdentity } from './identity.js'

export type DigestName = 'sha256' | 'sha384' | 'sha512'

export interface CmsOrder {
  readonly digest: Uint8Array
  readonly algorithm: DigestName
  readonly identity: SigningIdentity
  /** RSA-PSS instead of PKCS #1 v1.5. */
  readonly isPss: boolean
  /** Signing time claimed by the signer; undefined if the signature dictionary contains it. */
  readonly signingTime: Date | undefined
  /** Returns the token of an authority over the signature value. */
  readonly timestamp: ((value: Uint8Array) => Promise<Uint8Array>) | undefined
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const set = (...parts: readonly Uint8Array[]) => der(0x31, ...parts.toSorted(Buffer.compare))
const integer = (value: number) => der(tags.integer, Buffer.from([value]))
const octets = (bytes: Uint8Array) => der(tags.octetString, bytes)
const noParameters = Buffer.from([5, 0])
const digestIdentifier = (algorithm: DigestName) => sequence(oid(oidOfDigest(algorithm)))

/** Makes a CMS. Resolves to its DER. */
export async function makeCms(order: CmsOrder): Promise<Uint8Array> {
  const { identity, algorithm, digest } = order
  const { certificate, chain, key } = identity
  const attributes = [
    attribute(attributeOids.contentType, oid(contentTypes.data)),
    attribute(attributeOids.messageDigest, octets(digest)),
    // SHA-256 is the default for the digest of the certificate, and then not stated (RFC 5035).
    attribute(
      attributeOids.signingCertificateV2,
      sequence(sequence(sequence(octets(createHash('sha256').update(certificate).digest())))),
    ),
    ...(order.signingTime === undefined ? [] : [attribute(attributeOids.signingTime, time(order.signingTime))]),
  ].toSorted(Buffer.compare)
  const { identifier, value } = signatureOf(key, der(0x31, ...attributes), order)
  const token = await order.timestamp?.(value)
  const signer = sequence(
    integer(1),
    issuerAndSerial(certificate),
    digestIdentifier(algorithm),
    der(0xa0, ...attributes),
    identifier,
    octets(value),
    ...(token === undefined ? [] : [der(0xa1, attribute(attributeOids.timeStampToken, token))]),
  )
  const signed = sequence(
    integer(1),
    set(digestIdentifier(algorithm)),
    sequence(oid(contentTypes.data)),
    der(0xa0, ...[certificate, ...chain].toSorted(Buffer.compare)),
    set(signer),
  )
  return sequence(oid('1.2.840.113549.1.7.2'), der(0xa0, signed))
}

const attribute = (type: string, value: Uint8Array) => sequence(oid(type), set(value))

const ecdsa = { sha256: '1.2.840.10045.4.3.2', sha384: '1.2.840.10045.4.3.3', sha512: '1.2.840.10045.4.3.4' } as const
const saltLengths = { sha256: 32, sha384: 48, sha512: 64 } as const

function signatureOf(key: KeyObject, message: Uint8Array, { algorithm, isPss }: CmsOrder) {
  const type = key.asymmetricKeyType
  if (type === 'ed25519') return { identifier: sequence(oid('1.3.101.112')), value: sign(null, message, key) }
  if (type === 'ec') return { identifier: sequence(oid(ecdsa[algorithm])), value: sign(algorithm, message, key) }
  if (type === 'rsa' && !isPss)
    return { identifier: sequence(oid('1.2.840.113549.1.1.1'), noParameters), value: sign(algorithm, message, key) }
  const saltLength = saltLengths[algorithm]
  const hash = sequence(oid(oidOfDigest(algorithm)), noParameters)
  const parameters = sequence(
    der(0xa0, hash),
    der(0xa1, sequence(oid('1.2.840.113549.1.1.8'), hash)),
    der(0xa2, integer(saltLength)),
  )
  return {
    identifier: sequence(oid('1.2.840.113549.1.1.10'), parameters),
    value: sign(algorithm, message, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }),
  }
}

function issuerAndSerial(certificate: Uint8Array): Uint8Array {
  const members = Members.of(Members.of(onlyElement(certificate), 'Certificate').any(), 'TBSCertificate')
  members.context(0)
  const serial = members.take(tags.integer)
  members.take(tags.sequence)
  const issuer = members.take(tags.sequence)
  return sequence(encodingOf(issuer), der(tags.integer, contentOf(serial)))
}

/** Encodes a time: as UTCTime until 2049, then as GeneralizedTime (RFC 5652, 11.3). */
function time(date: Date): Uint8Array {
  const digits = date.toISOString().replace(/[-:T]/g, '').slice(0, 14)
  if (date.getUTCFullYear() < 2050) return der(tags.utcTime, Buffer.from(`${digits.slice(2)}Z`))
  return der(tags.generalizedTime, Buffer.from(`${digits}Z`))
}
