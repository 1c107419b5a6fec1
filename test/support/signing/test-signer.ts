// Signs digests as an external signer does: a detached CMS over a digest, by a key with a self-signed certificate, written
// in DER by hand, so that the server's own reading of CMS is not judged by itself.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

export type DigestName = 'sha256' | 'sha384' | 'sha512'

const tags = {
  integer: 2,
  bitString: 3,
  octetString: 4,
  null: 5,
  objectId: 6,
  utf8: 12,
  sequence: 48,
  set: 49,
} as const
const utcTime = 23
const context = (number: number): number => 0xa0 + number

const ids = {
  data: '2a864886f70d010701',
  signedData: '2a864886f70d010702',
  contentType: '2a864886f70d010903',
  messageDigest: '2a864886f70d010904',
  signingCertificateV2: '2a864886f70d010910022f',
  commonName: '550403',
  rsa: '2a864886f70d010101',
  sha256WithRsa: '2a864886f70d01010b',
  sha256: '608648016503040201',
  sha384: '608648016503040202',
  sha512: '608648016503040203',
} as const

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Uint8Array[]) => der(tags.sequence, ...parts)
const setOf = (...parts: readonly Buffer[]) => der(tags.set, ...parts.toSorted(Buffer.compare))
const objectId = (name: keyof typeof ids) => der(tags.objectId, Buffer.from(ids[name], 'hex'))
const integer = (value: number) => der(tags.integer, Buffer.from([value]))
const octets = (bytes: Uint8Array) => der(tags.octetString, bytes)
const algorithm = (name: keyof typeof ids) => sequence(objectId(name), der(tags.null))
const time = (ms: number) =>
  der(utcTime, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

export interface TestSigner {
  /** DER. */
  readonly certificate: Buffer
  /** Returns a detached CMS over the digest, in base64. */
  sign(digest: string, options?: SignOptions): string
}

export interface SignOptions {
  /** Default sha256. */
  readonly algorithm?: DigestName
}

/** Valid for a year around now. */
export function testSigner(name = 'A Tester'): TestSigner {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const issuer = sequence(der(tags.set, sequence(objectId('commonName'), der(tags.utf8, Buffer.from(name)))))
  const serial = integer(7)
  const certificate = certificateOf({ issuer, serial, privateKey, publicKey })
  return {
    certificate,
    sign(digest, { algorithm: hash = 'sha256' } = {}) {
      const attributes = [
        attribute('contentType', objectId('data')),
        attribute('messageDigest', octets(Buffer.from(digest, 'base64'))),
        attribute('signingCertificateV2', certificateReference(certificate)),
      ].toSorted(Buffer.compare)
      const signature = sign(hash, der(tags.set, ...attributes), privateKey)
      const signer = sequence(
        integer(1),
        sequence(issuer, serial),
        algorithm(hash),
        der(context(0), ...attributes),
        algorithm('rsa'),
        octets(signature),
      )
      const signed = sequence(
        integer(1),
        setOf(algorithm(hash)),
        sequence(objectId('data')),
        der(context(0), certificate),
        setOf(signer),
      )
      return sequence(objectId('signedData'), der(context(0), signed)).toString('base64')
    },
  }
}

const attribute = (type: keyof typeof ids, value: Buffer): Buffer => sequence(objectId(type), setOf(value))

/** RFC 5035: the hash algorithm is SHA-256 unless it is stated. */
const certificateReference = (certificate: Buffer): Buffer =>
  sequence(sequence(sequence(octets(createHash('sha256').update(certificate).digest()))))

interface CertificateParts {
  readonly issuer: Buffer
  readonly serial: Buffer
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

function certificateOf({ issuer, serial, privateKey, publicKey }: CertificateParts): Buffer {
  const halfYear = 180 * 24 * 60 * 60 * 1000
  const content = sequence(
    der(context(0), integer(2)),
    serial,
    algorithm('sha256WithRsa'),
    issuer,
    sequence(time(Date.now() - halfYear), time(Date.now() + halfYear)),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der(tags.bitString, Buffer.from([0]), sign('sha256', content, privateKey))
  return sequence(content, algorithm('sha256WithRsa'), signature)
}
