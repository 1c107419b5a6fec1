// Reads a PKCS#12 file: its private key and its certificates.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { CertBag, PFX, PKCS8ShroudedKeyBag, PrivateKeyInfo, type SafeBag } from 'pkijs'
import { documentsProblem } from '../problems.js'
import type { AskPassword } from './ask-password.js'
import { badKey } from './bad-key.js'

export interface Pkcs12Contents {
  readonly key: KeyObject
  /** Certificates in DER. */
  readonly certificates: readonly Uint8Array[]
}

/** Prefix of the encryption algorithms that PKCS#12 itself defines, with RC2, RC4 or triple DES. */
const legacyEncryption = Buffer.from('060a2a864886f70d010c01', 'hex')

/** Reads a key and its certificates. Asks for the password only if the file does not open without one. */
export async function readPkcs12(path: string, bytes: Buffer, ask: AskPassword): Promise<Pkcs12Contents> {
  if (!isPkcs12(bytes)) throw badKey(`${path} is no PKCS#12 file`)
  if (bytes.includes(legacyEncryption)) throw legacy(path)
  const bags = (await bagsOf(bytes, '').catch(() => undefined)) ?? (await unlocked(path, bytes, ask))
  const [key, ...others] = bags.flatMap(({ bagValue }) => {
    if (bagValue instanceof PrivateKeyInfo) return [bagValue]
    return bagValue instanceof PKCS8ShroudedKeyBag && bagValue.parsedValue ? [bagValue.parsedValue] : []
  })
  if (key === undefined || others.length > 0) throw badKey(`${path} must contain exactly one private key`)
  const certificates = bags.flatMap(({ bagValue }) => {
    const certificate: unknown = bagValue instanceof CertBag ? bagValue.parsedValue : undefined
    return isEncodable(certificate) ? [new Uint8Array(certificate.toSchema(false).toBER())] : []
  })
  const der = Buffer.from(key.toSchema().toBER())
  return { key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }), certificates }
}

function isPkcs12(bytes: Buffer): boolean {
  try {
    PFX.fromBER(bytes)
    return true
  } catch {
    // The library gives no reason why it cannot read the file.
    return false
  }
}

async function unlocked(path: string, bytes: Buffer, ask: AskPassword): Promise<readonly SafeBag[]> {
  const password = await ask(`Password of ${path}: `)
  try {
    return await bagsOf(bytes, password)
  } catch (error) {
    throw badKey(`${path} cannot be read as PKCS#12 with this password`, error)
  }
}

async function bagsOf(bytes: Buffer, text: string): Promise<readonly SafeBag[]> {
  const password = new TextEncoder().encode(text).slice().buffer
  const file = PFX.fromBER(bytes)
  await file.parseInternalValues({ password, checkIntegrity: true })
  const safe = file.parsedValue?.authenticatedSafe
  if (safe === undefined) throw new Error('it is empty')
  await safe.parseInternalValues({ safeContents: safe.safeContents.map(() => ({ password })) })
  const contents: readonly { readonly value: { readonly safeBags: readonly SafeBag[] } }[] =
    safe.parsedValue?.safeContents ?? []
  const bags = contents.flatMap(({ value }) => value.safeBags)
  for (const { bagValue } of bags) {
    if (bagValue instanceof PKCS8ShroudedKeyBag) await unlock(bagValue, password)
  }
  return bags
}

/** Decrypts a bag. The method exists, but the declared type of the library lacks it. */
async function unlock(bag: PKCS8ShroudedKeyBag, password: ArrayBuffer): Promise<void> {
  const parse: unknown = Reflect.get(bag, 'parseInternalValues')
  if (typeof parse === 'function') await Reflect.apply(parse, bag, [{ password }])
}

interface Encodable {
  toSchema(encodeFlag: boolean): { toBER(): ArrayBuffer }
}

function isEncodable(value: unknown): value is Encodable {
  return typeof value === 'object' && value !== null && 'toSchema' in value && typeof value.toSchema === 'function'
}

const legacy = (path: string) =>
  documentsProblem('documents.bad-key', {
    detail: `${path} is encrypted as PKCS#12 files were before 2022 (RC2 or triple DES), which is not supported.`,
    fix: `Convert it: openssl pkcs12 -legacy -in ${path} -out all.pem, then openssl pkcs12 -export -in all.pem -out new.p12`,
  })
