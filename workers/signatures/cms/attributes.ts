// Reads the attributes of a signer (RFC 5652, 5.3 and 11).
import { Asn1Error, childrenOf, type Element, isUniversal, tags } from '../asn1/element.js'
import { listOf, Members } from '../asn1/members.js'
import { octetsOf, oidOf, timeOf } from '../asn1/values.js'

/** Attribute values by object identifier. */
export type Attributes = ReadonlyMap<string, readonly Element[]>

export const attributeOids = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStampToken: '1.2.840.113549.1.9.16.2.14',
  revocationArchive: '1.2.840.113583.1.1.8',
} as const

/** Signed attributes that occur once (RFC 5652, 11; RFC 5035, 3 and 4). Others may be repeated. */
const singleOids: ReadonlySet<string> = new Set([
  attributeOids.contentType,
  attributeOids.messageDigest,
  attributeOids.signingTime,
  attributeOids.signingCertificate,
  attributeOids.signingCertificateV2,
])

export function attributesOf(set: Element, { isSigned }: { readonly isSigned: boolean }): Attributes {
  const attributes = new Map<string, readonly Element[]>()
  for (const element of childrenOf(set)) {
    const members = Members.of(element, 'Attribute')
    const oid = oidOf(members.any())
    const values = listOf(members.any(), tags.set, 'AttributeValues')
    members.end()
    const others = attributes.get(oid)
    if (values.length === 0) throw new Asn1Error(`the attribute ${oid} has no value`)
    if (isSigned && others !== undefined && singleOids.has(oid))
      throw new Asn1Error(`the attribute ${oid} occurs twice`)
    attributes.set(oid, [...(others ?? []), ...values])
  }
  return attributes
}

export const contentTypeOf = (attributes: Attributes): string | undefined =>
  single(attributes, attributeOids.contentType, oidOf)

export const messageDigestOf = (attributes: Attributes): Uint8Array | undefined =>
  single(attributes, attributeOids.messageDigest, (element) => {
    if (!isUniversal(element, tags.octetString)) throw new Asn1Error('the message digest is not an octet string')
    return octetsOf(element)
  })

export const signingTimeOf = (attributes: Attributes): Date | undefined =>
  single(attributes, attributeOids.signingTime, timeOf)

/** Reads an attribute that must have exactly one value; returns undefined if the attribute is missing. */
export function single<Value>(
  attributes: Attributes,
  oid: string,
  read: (element: Element) => Value,
): Value | undefined {
  const values = attributes.get(oid)
  const [value, ...others] = values ?? []
  if (value === undefined) return undefined
  if (others.length > 0) throw new Asn1Error(`the attribute ${oid} has ${others.length + 1} values`)
  return read(value)
}
