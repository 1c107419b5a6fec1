// Reads the key and certificates of a signer, from PEM files or a PKCS#12 file. Keys are never printed, and their
// passwords never come from the command line.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { AskPassword } from './ask-password.js'
import { badKey } from './bad-key.js'

export interface SigningIdentity {
  readonly key: KeyObject
  /** Certificate of the signer in DER. */
  readonly certificate: Uint8Array
  /** Certificates of issuers in DER, without that of the signer. */
  readonly chain: readonly Uint8Array[]
}

export interface PemFiles {
  readonly key: string
  readonly cert: string
  readonly chain: string | undefined
}

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/** Reads an identity from PEM files. Asks for a password only if the key is encrypted. */
export async function identityOfPem({ key, cert, chain }: PemFiles, ask: AskPassword): Promise<SigningIdentity> {
  const privateKey = await keyOf(key, ask)
  const [certificate, ...others] = await certificatesIn(cert)
  if (certificate === undefined) throw badKey(`${cert} contains no certificate`)
  return checked({ key: privateKey, certificate, others: [...others, ...(chain ? await certificatesIn(chain) : [])] })
}

export async function identityOfPkcs12(path: string, ask: AskPassword): Promise<SigningIdentity> {
  const { readPkcs12 } = await import('./pkcs12.js')
  const { key, certificates } = await readPkcs12(path, await bytesOf(path), ask)
  const parsed = certificates.map((der) => new X509Certificate(der))
  const own = parsed.find((certificate) => certificate.checkPrivateKey(key))
  if (own === undefined) throw badKey(`${path} contains no certificate of its key`)
  return checked({ key, certificate: own, others: parsed.filter((one) => one !== own) })
}

interface Parts {
  readonly key: KeyObject
  readonly certificate: X509Certificate
  readonly others: readonly X509Certificate[]
}

const keyTypes: ReadonlySet<string> = new Set(['rsa', 'rsa-pss', 'ec', 'ed25519'])

function checked({ key, certificate, others }: Parts): SigningIdentity {
  const type = key.asymmetricKeyType ?? 'unknown'
  if (!keyTypes.has(type)) throw badKey(`a key of type ${type} cannot sign here; use RSA, EC or Ed25519`)
  if (!certificate.checkPrivateKey(key))
    throw badKey(`the certificate of ${nameOf(certificate)} is not that of the key`)
  return { key, certificate: certificate.raw, chain: others.map(({ raw }) => raw) }
}

/** Returns a warning that readers will not trust a signature made now; undefined if the certificate is valid. */
export function validityRemark({ certificate: der }: SigningIdentity, now: Date): string | undefined {
  const certificate = new X509Certificate(der)
  const [from, until] = [new Date(certificate.validFrom), new Date(certificate.validTo)]
  if (now >= from && now <= until) return undefined
  const when = now < from ? `is valid only from ${from.toISOString()}` : `was valid only until ${until.toISOString()}`
  return `The certificate of ${nameOf(certificate)} ${when}: what it signs now will not be trusted.`
}

/** Returns the name in the form of RFC 4514, without its escapes. */
const nameOf = ({ subject }: X509Certificate): string => subject.split('\n').toReversed().join(',')

async function keyOf(path: string, ask: AskPassword): Promise<KeyObject> {
  const pem = (await bytesOf(path)).toString('latin1')
  const isEncrypted = /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(pem)
  const passphrase = isEncrypted ? await ask(`Password of ${path}: `) : undefined
  try {
    return createPrivateKey({ key: pem, format: 'pem', ...(passphrase === undefined ? {} : { passphrase }) })
  } catch (error) {
    throw badKey(`${path} cannot be read as a private key in PEM${isEncrypted ? ' with this password' : ''}`, error)
  }
}

async function certificatesIn(path: string): Promise<readonly X509Certificate[]> {
  const bytes = await bytesOf(path)
  try {
    const blocks = bytes.toString('latin1').match(certificateBlock)
    return blocks === null ? [new X509Certificate(bytes)] : blocks.map((block) => new X509Certificate(block))
  } catch (error) {
    throw badKey(`${path} cannot be read as a certificate`, error)
  }
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw badKey(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, error)
  }
}
