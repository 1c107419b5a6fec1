// Digest algorithms of signatures, by their names in `node:crypto`.
import { createHash } from 'node:crypto'
import type { digestAlgorithms } from '../../contract/signatures/algorithm-policy.js'
import type { AlgorithmIdentifier } from '../asn1/algorithm-identifier.js'
import { isUniversal, tags } from '../asn1/element.js'
import { smallInteger } from '../asn1/values.js'

export type DigestAlgorithm = (typeof digestAlgorithms)[number]

const byOid: Readonly<Record<string, DigestAlgorithm>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
  '2.16.840.1.101.3.4.2.12': 'shake256',
}

/** Returns undefined for an algorithm that is not supported. */
export const digestByOid = (oid: string): DigestAlgorithm | undefined => byOid[oid]

/** SHAKE256 with the length of its output in bits as the parameter (RFC 8419, 3.1). */
const shake256WithLength = '2.16.840.1.101.3.4.2.18'

/** Returns undefined for an algorithm, or a length of its output, that is not supported. */
export function digestByIdentifier({ oid, parameters }: AlgorithmIdentifier): DigestAlgorithm | undefined {
  if (oid !== shake256WithLength) return digestByOid(oid)
  return isUniversal(parameters, tags.integer) && smallInteger(parameters) === 512 ? 'shake256' : undefined
}

export const oidOfDigest = (algorithm: DigestAlgorithm): string =>
  Object.keys(byOid).find((oid) => byOid[oid] === algorithm) ?? ''

/** Returns a hash; that of SHAKE256 has 64 bytes in signatures (RFC 8702). */
export const digestHash = (algorithm: DigestAlgorithm) =>
  algorithm === 'shake256' ? createHash(algorithm, { outputLength: 64 }) : createHash(algorithm)

export const digestOf = (algorithm: DigestAlgorithm, bytes: Uint8Array): Uint8Array =>
  digestHash(algorithm).update(bytes).digest()

export const shownDigest = (algorithm: DigestAlgorithm): string => algorithm.toUpperCase().replace(/^SHA(?=\d)/, 'SHA-')
