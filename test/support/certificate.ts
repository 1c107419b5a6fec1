// Creates a self-signed certificate for TLS servers of tests. Its DER is written here, because Node cannot create
// certificates, and a stored one would expire.
import { generateKeyPairSync, sign } from 'node:crypto'

export interface Certificate {
  /** PEM. */
  readonly key: string
  readonly cert: string
}

const tags = { integer: 2, bitString: 3, octetString: 4, objectId: 6, utf8: 12, sequence: 48, set: 49 } as const
const utcTime = 23
const dnsName = 0x82
const ipAddress = 0x87

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Uint8Array[]) => der(tags.sequence, ...parts)
const objectId = (hex: string) => der(tags.objectId, Buffer.from(hex, 'hex'))
const bits = (bytes: Uint8Array) => der(tags.bitString, Buffer.from([0]), bytes)
const time = (ms: number) =>
  der(utcTime, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))
const commonName = objectId('550403')
const subjectAlternativeName = objectId('551d11')

const nameOf = (text: string) => sequence(der(tags.set, sequence(commonName, der(tags.utf8, Buffer.from(text)))))

const alternative = (host: string) =>
  /^[\d.]+$/.test(host) ? der(ipAddress, Buffer.from(host.split('.').map(Number))) : der(dnsName, Buffer.from(host))

/** Returns a certificate for host names and IPv4 addresses that is valid for a day. */
export function certificateFor(...hosts: readonly string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const day = 24 * 60 * 60 * 1000
  const extension = sequence(subjectAlternativeName, der(tags.octetString, sequence(...hosts.map(alternative))))
  const name = nameOf('a test')
  const content = sequence(
    der(0xa0, der(tags.integer, Buffer.from([2]))),
    der(tags.integer, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  )
  const certificate = sequence(content, ecdsaWithSha256, bits(sign('sha256', content, privateKey)))
  const base64 = certificate.toString('base64').replace(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  }
}
