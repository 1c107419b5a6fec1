// A CMS whose algorithms and attributes are chosen one by one, which openssl would not make so.
import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { der, oid } from '../../../workers/signatures/asn1/der.js'
import { contentOf, encodingOf, onlyElement, tags } from '../../../workers/signatures/asn1/element.js'
import { Members } from '../../../workers/signatures/asn1/members.js'
import { attributeOids } from '../../../workers/signatures/cms/attributes.js'
import { type DigestAlgorithm, digestOf, oidOfDigest } from '../../../workers/signatures/cms/digest-algorithm.js'
import type { Identity } from '../../support/pki/pki.js'

export const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const set = (...parts: readonly Uint8Array[]) => der(0x31, ...parts.toSorted(Buffer.compare))
const integer = (value: number) => der(tags.integer, Buffer.from([value]))
export const attribute = (type: string, value: Uint8Array) => sequence(oid(type), set(value))

export interface HandmadeCms {
  readonly digest: DigestAlgorithm
  /** Identifier of the digest algorithm; default: without parameters. */
  readonly identifier?: Uint8Array
  /** Object identifier of the signature algorithm. */
  readonly signatureOid: string
  /** Digest algorithm of the signature value; null for EdDSA. */
  readonly hash: string | null
  /** Signed attributes beside content type and message digest. */
  readonly attributes?: readonly Uint8Array[]
}

export function handmadeCms(data: Uint8Array, signer: Identity, order: HandmadeCms): Uint8Array {
  const { digest, identifier = sequence(oid(oidOfDigest(digest))), signatureOid, hash } = order
  const attributes = [
    attribute(attributeOids.contentType, oid('1.2.840.113549.1.7.1')),
    attribute(attributeOids.messageDigest, der(tags.octetString, digestOf(digest, data))),
    ...(order.attributes ?? []),
  ].toSorted(Buffer.compare)
  const value = sign(hash, der(0x31, ...attributes), createPrivateKey(readFileSync(signer.key)))
  const info = sequence(
    ...[integer(1), issuerAndSerial(signer.der), identifier, der(0xa0, ...attributes)],
    ...[sequence(oid(signatureOid)), der(tags.octetString, value)],
  )
  const encapsulated = sequence(oid('1.2.840.113549.1.7.1'))
  const signed = sequence(integer(1), set(identifier), encapsulated, der(0xa0, signer.der), set(info))
  return sequence(oid('1.2.840.113549.1.7.2'), der(0xa0, signed))
}

function issuerAndSerial(certificate: Uint8Array): Uint8Array {
  const members = Members.of(Members.of(onlyElement(certificate), 'Certificate').any(), 'TBSCertificate')
  members.context(0)
  const serial = members.take(tags.integer)
  members.take(tags.sequence)
  const issuer = members.take(tags.sequence)
  return sequence(encodingOf(issuer), der(tags.integer, contentOf(serial)))
}
