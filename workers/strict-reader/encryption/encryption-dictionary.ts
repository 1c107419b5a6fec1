// Reads the encryption dictionary of the standard security handler (ISO 32000-2, 7.6.4).
import { NotStrict } from '../strict-document.js'
import type { StrictDictionary, StrictValue } from '../values.js'
import { integerOf, nameOf, ofKind } from '../values-of.js'

export type CryptMethod = 'none' | 'rc4' | 'aes-128' | 'aes-256'

export interface EncryptionFacts {
  readonly revision: number
  readonly keyBytes: number
  readonly owner: Uint8Array
  readonly user: Uint8Array
  /** Encrypted file keys of revisions 5 and 6. */
  readonly ownerKey: Uint8Array
  readonly userKey: Uint8Array
  readonly permissions: number
  readonly encryptsMetadata: boolean
  readonly methods: { readonly streams: CryptMethod; readonly strings: CryptMethod; readonly files: CryptMethod }
  /** Methods of the crypt filters that a stream may name. */
  readonly filters: ReadonlyMap<string, CryptMethod>
}

const methodNames: Readonly<Record<string, CryptMethod>> = {
  None: 'none',
  V2: 'rc4',
  AESV2: 'aes-128',
  AESV3: 'aes-256',
}

export function encryptionFacts(
  dictionary: StrictDictionary,
  resolve: (value: StrictValue | undefined) => StrictValue,
): EncryptionFacts {
  const get = (key: string) => resolve(dictionary.entries.get(key))
  const handler = nameOf(get('Filter'))
  if (handler !== 'Standard') {
    const isForCertificates = handler === 'Adobe.PubSec' || /^adbe\.pkcs7\./.test(nameOf(get('SubFilter')) ?? '')
    throw new NotStrict(
      isForCertificates
        ? 'The file is encrypted for the holders of certificates, which is not supported'
        : 'The security handler of the encryption is not supported',
    )
  }
  const version = integerOf(get('V')) ?? 0
  const revision = integerOf(get('R')) ?? 0
  const permissions = integerOf(get('P'))
  const isKnown = version === 5 ? revision === 5 || revision === 6 : [1, 2, 4].includes(version)
  if (!isKnown || (version !== 5 && !(revision >= 2 && revision <= 4)) || permissions === undefined) {
    throw new NotStrict('The encryption is not supported')
  }
  const keyBytes = keyBytesOf(version, integerOf(get('Length')) ?? 40)
  const bytesOf = (key: string, length: number) => stringOf(get(key), length)
  const filters = version < 4 ? new Map<string, CryptMethod>() : cryptFilters(get('CF'), resolve)
  const methodOf = (key: string, fallback: CryptMethod): CryptMethod => {
    if (version < 4) return 'rc4'
    const name = nameOf(get(key))
    const method = name === undefined ? fallback : name === 'Identity' ? 'none' : filters.get(name)
    if (method === undefined) throw new NotStrict('A crypt filter is not defined')
    return method
  }
  const streams = methodOf('StmF', 'none')
  return {
    revision,
    keyBytes,
    owner: bytesOf('O', version === 5 ? 48 : 32),
    user: bytesOf('U', version === 5 ? 48 : 32),
    ownerKey: version === 5 ? bytesOf('OE', 32) : new Uint8Array(),
    userKey: version === 5 ? bytesOf('UE', 32) : new Uint8Array(),
    permissions,
    encryptsMetadata: version < 4 || get('EncryptMetadata') !== false,
    methods: { streams, strings: methodOf('StrF', 'none'), files: methodOf('EFF', streams) },
    filters,
  }
}

function keyBytesOf(version: number, bits: number): number {
  if (version === 5) return 32
  if (version === 4) return 16
  if (version === 1) return 5
  if (bits % 8 !== 0 || bits < 40 || bits > 128) throw new NotStrict('The length of the encryption key is impossible')
  return bits / 8
}

/** Returns the string in its defined length; some writers pad it with zeros. */
function stringOf(value: StrictValue, length: number): Uint8Array {
  const bytes = ofKind(value, 'string')?.bytes
  if (bytes === undefined || bytes.length < length || bytes.subarray(length).some((byte) => byte !== 0)) {
    throw new NotStrict('A string of the encryption has a wrong length')
  }
  return bytes.subarray(0, length)
}

function cryptFilters(
  value: StrictValue,
  resolve: (value: StrictValue | undefined) => StrictValue,
): ReadonlyMap<string, CryptMethod> {
  const entries = [...(ofKind(value, 'dictionary')?.entries ?? [])]
  return new Map(
    entries.map(([name, entry]) => {
      const given = nameOf(resolve(ofKind(resolve(entry), 'dictionary')?.entries.get('CFM'))) ?? 'None'
      const method = methodNames[given]
      if (method === undefined) throw new NotStrict('The method of a crypt filter is not supported')
      return [name, method]
    }),
  )
}
