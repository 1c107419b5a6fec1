// Parses a CMS with one signer (RFC 5652, 5).
import { type AlgorithmIdentifier, algorithmIdentifier } from '../asn1/algorithm-identifier.js'
import { childrenOf, type Element, encodingOf, firstElement, isContext, isUniversal, tags } from '../asn1/element.js'
import { explicit, listOf, Members } from '../asn1/members.js'
import { integerHex, octetsOf, oidOf } from '../asn1/values.js'
import { type DistinguishedName, distinguishedName } from '../certificates/distinguished-name.js'
import { type Attributes, attributesOf } from './attributes.js'
import { CmsFailure, parseFor } from './cms-failure.js'

export interface SignedData {
  readonly contentType: string
  /** Content inside the CMS; undefined if it is detached. */
  readonly content: Uint8Array | undefined
  /** Encodings of certificates, not parsed. */
  readonly certificates: readonly Uint8Array[]
  readonly crls: readonly Uint8Array[]
  readonly signer: SignerInfo
  /** Length of the CMS; bytes after it are padding. */
  readonly sizeBytes: number
}

export interface SignerInfo {
  readonly id: SignerId
  readonly digestAlgorithm: AlgorithmIdentifier
  /** Element [0] and its attributes; undefined if the content alone is signed. */
  readonly signedAttributes: { readonly element: Element; readonly values: Attributes } | undefined
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  readonly unsignedAttributes: Attributes
}

export type SignerId =
  | { readonly kind: 'issuer'; readonly issuer: DistinguishedName; readonly serialNumber: string }
  | { readonly kind: 'key'; readonly keyIdentifier: Uint8Array }

const signedDataOid = '1.2.840.113549.1.7.2'
const certificatesMax = 100

/** Throws `CmsFailure`. Ignores bytes after the CMS. */
export function parseSignedData(bytes: Uint8Array): SignedData {
  const { sizeBytes, encapsulated, certificates, crls, signers } = parseFor('encoding', 'The CMS', () => outline(bytes))
  const [signer, ...others] = signers
  if (signer === undefined || others.length > 0)
    throw new CmsFailure('encoding', `The CMS has ${signers.length} signers instead of one`)
  return { ...encapsulated, certificates, crls, signer: signerInfo(signer), sizeBytes }
}

function outline(bytes: Uint8Array) {
  const root = firstElement(bytes)
  const outer = Members.of(root, 'ContentInfo')
  if (oidOf(outer.any()) !== signedDataOid) throw new CmsFailure('encoding', 'The CMS is not of the type signed-data')
  const content = outer.context(0)
  outer.end()
  const members = Members.of(content && explicit(content), 'SignedData')
  members.take(tags.integer)
  members.take(tags.set)
  const encapsulated = encapsulatedContent(members.take(tags.sequence))
  const [certificates, crls] = [members.context(0), members.context(1)]
  const signers = listOf(members.take(tags.set), tags.set, 'SignerInfos')
  members.end()
  return {
    sizeBytes: root.end,
    encapsulated,
    certificates: plainFormats(certificates),
    crls: plainFormats(crls),
    signers,
  }
}

function encapsulatedContent(element: Element) {
  const members = Members.of(element, 'EncapsulatedContentInfo')
  const contentType = oidOf(members.any())
  const content = members.context(0)
  members.end()
  if (content === undefined) return { contentType, content: undefined }
  const octets = explicit(content)
  if (!isUniversal(octets, tags.octetString))
    throw new CmsFailure('encoding', 'The content of the CMS is not an octet string')
  return { contentType, content: octetsOf(octets) }
}

/** Returns the members of a set that are X.509 certificates or CRLs, without those in other formats. */
function plainFormats(set: Element | undefined): readonly Uint8Array[] {
  if (set === undefined) return []
  return childrenOf(set)
    .filter((element) => isUniversal(element, tags.sequence))
    .slice(0, certificatesMax)
    .map(encodingOf)
}

function signerInfo(element: Element): SignerInfo {
  const parts = parseFor('encoding', 'The signer of the CMS', () => {
    const members = Members.of(element, 'SignerInfo')
    members.take(tags.integer)
    const id = signerId(members.any())
    const digestAlgorithm = algorithmIdentifier(members.any())
    const signed = members.context(0)
    const signatureAlgorithm = algorithmIdentifier(members.any())
    const signature = octetsOf(members.take(tags.octetString))
    const unsigned = members.context(1)
    members.end()
    return { id, digestAlgorithm, signed, signatureAlgorithm, signature, unsigned }
  })
  const { signed, unsigned, ...others } = parts
  return {
    ...others,
    signedAttributes: signed && {
      element: signed,
      values: parseFor('signed-attributes', 'The signed attributes', () => attributesOf(signed, { isSigned: true })),
    },
    unsignedAttributes: parseFor('encoding', 'The unsigned attributes', () =>
      unsigned === undefined ? new Map() : attributesOf(unsigned, { isSigned: false }),
    ),
  }
}

function signerId(element: Element): SignerId {
  if (isContext(element, 0)) return { kind: 'key', keyIdentifier: octetsOf(element) }
  const members = Members.of(element, 'IssuerAndSerialNumber')
  const issuer = distinguishedName(members.take(tags.sequence))
  const serialNumber = integerHex(members.take(tags.integer))
  members.end()
  return { kind: 'issuer', issuer, serialNumber }
}
