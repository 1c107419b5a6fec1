// Reads signature algorithms with their parameters (RFC 3370, 4055, 4056, 5754, 8419 and others).
import { type AlgorithmIdentifier, algorithmIdentifier } from '../asn1/algorithm-identifier.js'
import { type Element, isUniversal, tags } from '../asn1/element.js'
import { explicit, Members } from '../asn1/members.js'
import { smallInteger } from '../asn1/values.js'
import { type DigestAlgorithm, digestByOid } from './digest-algorithm.js'

export type SignatureScheme =
  | { readonly kind: 'rsa' | 'ecdsa'; readonly digest: DigestAlgorithm }
  | { readonly kind: 'rsa-pss'; readonly digest: DigestAlgorithm; readonly saltLength: number }
  | { readonly kind: 'eddsa'; readonly curve: 'ed25519' | 'ed448' }

export class UnsupportedAlgorithm extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnsupportedAlgorithm'
  }
}

type Kind = 'rsa' | 'ecdsa'

/** Kind and digest by object identifier; without a digest, that of the signer info applies. */
const table: Readonly<Record<string, readonly [Kind, DigestAlgorithm | undefined]>> = {
  '1.2.840.113549.1.1.1': ['rsa', undefined],
  '1.2.840.113549.1.1.5': ['rsa', 'sha1'],
  '1.2.840.113549.1.1.14': ['rsa', 'sha224'],
  '1.2.840.113549.1.1.11': ['rsa', 'sha256'],
  '1.2.840.113549.1.1.12': ['rsa', 'sha384'],
  '1.2.840.113549.1.1.13': ['rsa', 'sha512'],
  '2.16.840.1.101.3.4.3.14': ['rsa', 'sha3-256'],
  '2.16.840.1.101.3.4.3.15': ['rsa', 'sha3-384'],
  '2.16.840.1.101.3.4.3.16': ['rsa', 'sha3-512'],
  '1.2.840.10045.2.1': ['ecdsa', undefined],
  '1.2.840.10045.4.1': ['ecdsa', 'sha1'],
  '1.2.840.10045.4.3.1': ['ecdsa', 'sha224'],
  '1.2.840.10045.4.3.2': ['ecdsa', 'sha256'],
  '1.2.840.10045.4.3.3': ['ecdsa', 'sha384'],
  '1.2.840.10045.4.3.4': ['ecdsa', 'sha512'],
  '2.16.840.1.101.3.4.3.10': ['ecdsa', 'sha3-256'],
  '2.16.840.1.101.3.4.3.11': ['ecdsa', 'sha3-384'],
  '2.16.840.1.101.3.4.3.12': ['ecdsa', 'sha3-512'],
}

const pss = '1.2.840.113549.1.1.10'
const mgf1 = '1.2.840.113549.1.1.8'
const eddsa: Readonly<Record<string, 'ed25519' | 'ed448'>> = { '1.3.101.112': 'ed25519', '1.3.101.113': 'ed448' }
const refused: Readonly<Record<string, string>> = {
  '1.2.840.10040.4.1': 'DSA is not supported',
  '1.2.840.10040.4.3': 'DSA is not supported',
  '2.16.840.1.101.3.4.3.1': 'DSA is not supported',
  '2.16.840.1.101.3.4.3.2': 'DSA is not supported',
  '1.2.840.113549.1.1.2': 'MD2 is not supported',
  '1.2.840.113549.1.1.4': 'MD5 is not supported',
}

/**
 * Returns the scheme. `digest` is that of the signer info; undefined for certificates, which have none. Throws
 * `UnsupportedAlgorithm`, and `Asn1Error` for parameters that cannot be read.
 */
export function schemeOf(
  { oid, parameters }: AlgorithmIdentifier,
  digest: DigestAlgorithm | undefined,
): SignatureScheme {
  const curve = eddsa[oid]
  if (curve !== undefined) return { kind: 'eddsa', curve }
  if (oid === pss) return pssScheme(parameters)
  const [kind, own] = table[oid] ?? []
  const used = own ?? digest
  if (kind !== undefined && used !== undefined) return { kind, digest: used }
  throw new UnsupportedAlgorithm(refused[oid] ?? `The signature algorithm ${oid} is not supported`)
}

/** Reads the parameters of RSA-PSS, each of which has a default (RFC 4055, 3.1). */
function pssScheme(parameters: Element | undefined): SignatureScheme {
  if (parameters === undefined) return { kind: 'rsa-pss', digest: 'sha1', saltLength: 20 }
  const members = Members.of(parameters, 'RSASSA-PSS-params')
  const [hash, mask, salt, trailer] = [members.context(0), members.context(1), members.context(2), members.context(3)]
  members.end()
  const digest = hash === undefined ? 'sha1' : supported(algorithmIdentifier(explicit(hash)).oid)
  const maskDigest = mask === undefined ? 'sha1' : maskDigestOf(algorithmIdentifier(explicit(mask)))
  if (maskDigest !== digest) throw new UnsupportedAlgorithm('RSA-PSS with two digest algorithms is not supported')
  if (trailer !== undefined && smallInteger(explicit(trailer)) !== 1)
    throw new UnsupportedAlgorithm('The trailer field of RSA-PSS is not supported')
  const saltLength = salt === undefined ? 20 : integerMember(explicit(salt))
  return { kind: 'rsa-pss', digest, saltLength }
}

function maskDigestOf({ oid, parameters }: AlgorithmIdentifier): DigestAlgorithm {
  if (oid !== mgf1) throw new UnsupportedAlgorithm(`The mask function ${oid} of RSA-PSS is not supported`)
  return parameters === undefined ? 'sha1' : supported(algorithmIdentifier(parameters).oid)
}

function supported(oid: string): DigestAlgorithm {
  const digest = digestByOid(oid)
  if (digest === undefined) throw new UnsupportedAlgorithm(`The digest algorithm ${oid} is not supported`)
  return digest
}

function integerMember(element: Element): number {
  if (!isUniversal(element, tags.integer)) throw new UnsupportedAlgorithm('The parameters of RSA-PSS are not supported')
  return smallInteger(element)
}
