// Decrypts the strings and streams of an encrypted file.
import { createHash } from 'node:crypto'
import type { Resolve } from '../filters/decode-filters.js'
import { NotStrict } from '../strict-document.js'
import type { StrictDictionary, StrictReference, StrictValue } from '../values.js'
import { nameOf, ofKind } from '../values-of.js'
import { decryptAes } from './aes.js'
import { type CryptMethod, type EncryptionFacts, encryptionFacts } from './encryption-dictionary.js'
import { fileKey } from './file-key.js'
import { preparedPassword } from './prepared-password.js'
import { rc4 } from './rc4.js'

/** Error of a file that needs a password: neither the given one nor the empty one opens it. */
export class LockedFile extends NotStrict {
  constructor() {
    super('The file is encrypted, and the password does not open it')
    this.name = 'LockedFile'
  }
}

export type ObjectId = Pick<StrictReference, 'number' | 'generation'>

export class Security {
  readonly #facts: EncryptionFacts
  readonly #key: Uint8Array

  /**
   * Finds the key. The password is UTF-8; without one, the empty one is tried. Throws `LockedFile` if it does not open
   * the file.
   */
  constructor(dictionary: StrictDictionary, id: Uint8Array, resolve: Resolve, password: Uint8Array | undefined) {
    this.#facts = encryptionFacts(dictionary, resolve)
    const key = passwordsOf(password)
      .map((bytes) => fileKey(this.#facts, id, bytes))
      .find((found) => found !== undefined)
    if (key === undefined) throw new LockedFile()
    this.#key = key
  }

  /** Decrypts the strings of an object. `/Contents` of a signature and cross-reference streams are never encrypted. */
  decryptStrings(value: StrictValue, id: ObjectId): StrictValue {
    const method = this.#facts.methods.strings
    if (method === 'none' || typeof value !== 'object' || value === null) return value
    const type = ofKind(value, 'stream')?.dictionary.entries.get('Type')
    if (nameOf(type) === 'XRef') return value
    return this.#decrypted(value, (bytes) => this.#decrypt(method, bytes, id))
  }

  decryptStream(bytes: Uint8Array, dictionary: StrictDictionary, id: ObjectId, resolve: Resolve): Uint8Array {
    return this.#decrypt(this.#methodOf(dictionary, resolve), bytes, id)
  }

  #decrypted(value: StrictValue, decrypt: (bytes: Uint8Array) => Uint8Array): StrictValue {
    if (typeof value !== 'object' || value === null) return value
    if (value.kind === 'string') return { kind: 'string', bytes: decrypt(value.bytes) }
    if (value.kind === 'array') return { ...value, items: value.items.map((item) => this.#decrypted(item, decrypt)) }
    if (value.kind === 'stream') {
      return {
        ...value,
        dictionary: ofKind(this.#decrypted(value.dictionary, decrypt), 'dictionary') ?? value.dictionary,
      }
    }
    if (value.kind !== 'dictionary') return value
    const isSigned = isSignature(value)
    const entries = [...value.entries].map(
      ([key, entry]) => [key, isSigned && key === 'Contents' ? entry : this.#decrypted(entry, decrypt)] as const,
    )
    return { kind: 'dictionary', entries: new Map(entries) }
  }

  #methodOf(dictionary: StrictDictionary, resolve: Resolve): CryptMethod {
    const { methods, filters, encryptsMetadata } = this.#facts
    const type = nameOf(resolve(dictionary.entries.get('Type')))
    if (type === 'XRef') return 'none'
    const own = cryptFilterOf(dictionary, resolve)
    if (own !== undefined) {
      const method = own === 'Identity' ? 'none' : filters.get(own)
      if (method === undefined) throw new NotStrict('A crypt filter is not defined')
      return method
    }
    if (type === 'Metadata' && !encryptsMetadata) return 'none'
    return type === 'EmbeddedFile' ? methods.files : methods.streams
  }

  #decrypt(method: CryptMethod, bytes: Uint8Array, { number, generation }: ObjectId): Uint8Array {
    if (method === 'none') return bytes
    if (method === 'aes-256') return decryptAes(this.#key, bytes)
    const suffix = Buffer.alloc(5)
    suffix.writeUIntLE(number, 0, 3)
    suffix.writeUIntLE(generation, 3, 2)
    const digest = createHash('md5')
      .update(this.#key)
      .update(suffix)
      .update(method === 'rc4' ? '' : 'sAlT')
      .digest()
    const key = digest.subarray(0, Math.min(16, this.#key.length + 5))
    return method === 'rc4' ? rc4(key, bytes) : decryptAes(key, bytes)
  }
}

/**
 * Returns the forms of a password to try: programs differ in preparing passwords, and in the encoding of older ones.
 */
function passwordsOf(password: Uint8Array | undefined): readonly Uint8Array[] {
  if (password === undefined) return [new Uint8Array()]
  const text = new TextDecoder().decode(password)
  return [password, Buffer.from(preparedPassword(text)), Buffer.from(text, 'latin1')]
}

const isSignature = ({ entries }: StrictDictionary): boolean =>
  ofKind(entries.get('ByteRange'), 'array') !== undefined &&
  [undefined, 'Sig', 'DocTimeStamp'].includes(nameOf(entries.get('Type')))

/** Name of the crypt filter that a stream chooses for itself; undefined if it does not. */
function cryptFilterOf({ entries }: StrictDictionary, resolve: Resolve): string | undefined {
  const filter = resolve(entries.get('Filter'))
  const names = ofKind(filter, 'array')?.items ?? [filter]
  const index = names.findIndex((name) => nameOf(resolve(name)) === 'Crypt')
  if (index < 0) return undefined
  const parameters = resolve(entries.get('DecodeParms'))
  const own = resolve(ofKind(parameters, 'array')?.items[index] ?? parameters)
  return nameOf(resolve(ofKind(own, 'dictionary')?.entries.get('Name'))) ?? 'Identity'
}
