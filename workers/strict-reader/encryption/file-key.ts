// Finds the file's encryption key with a user or owner password (ISO 32000-2, 7.6.4.3 and 7.6.4.4).
import { createHash, timingSafeEqual } from 'node:crypto'
import { decryptAesKey, encryptAesBlocks } from './aes.js'
import type { EncryptionFacts } from './encryption-dictionary.js'
import { rc4 } from './rc4.js'

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

/** Returns undefined if the password is neither the user's nor the owner's. */
export function fileKey(facts: EncryptionFacts, id: Uint8Array, password: Uint8Array): Uint8Array | undefined {
  if (facts.revision >= 5) return keyOf256(facts, password.subarray(0, 127))
  const asUser = legacyKey(facts, id, padded(password))
  return asUser ?? legacyKey(facts, id, userPassword(facts, password))
}

const md5 = (...parts: readonly Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('md5')).digest()

const padded = (password: Uint8Array): Uint8Array => Buffer.concat([password, padding]).subarray(0, 32)

/**
 * Computes the key of revisions 2 to 4, up to 128 bits (algorithms 2, 4 and 5). `password`: that of the user, padded.
 */
function legacyKey(facts: EncryptionFacts, id: Uint8Array, password: Uint8Array): Uint8Array | undefined {
  const { revision, keyBytes, owner, permissions, encryptsMetadata } = facts
  const flags = Buffer.alloc(4)
  flags.writeInt32LE(permissions | 0)
  const metadataMark = revision >= 4 && !encryptsMetadata ? Buffer.alloc(4, 0xff) : Buffer.alloc(0)
  let key = md5(password, owner, flags, id, metadataMark).subarray(0, keyBytes)
  for (let round = 0; revision >= 3 && round < 50; round++) key = md5(key).subarray(0, keyBytes)
  const expected = revision === 2 ? rc4(key, padding) : rc4Rounds(key, md5(padding, id), 'up')
  return isEqual(facts.user.subarray(0, expected.length), expected) ? key : undefined
}

/** Decrypts the padded user password with the owner password (algorithm 7). */
function userPassword({ revision, keyBytes, owner }: EncryptionFacts, password: Uint8Array): Uint8Array {
  let key = md5(padded(password))
  for (let round = 0; revision >= 3 && round < 50; round++) key = md5(key)
  const ownerKey = key.subarray(0, keyBytes)
  return revision === 2 ? rc4(ownerKey, owner) : rc4Rounds(ownerKey, owner, 'down')
}

/** Applies RC4 twenty times, with the key combined with the number of the round. */
function rc4Rounds(key: Uint8Array, bytes: Uint8Array, direction: 'up' | 'down'): Uint8Array {
  return Array.from({ length: 20 }, (_, round) => (direction === 'up' ? round : 19 - round)).reduce(
    (data: Uint8Array, round) =>
      rc4(
        key.map((byte) => byte ^ round),
        data,
      ),
    bytes,
  )
}

/** Computes the key of revisions 5 and 6, 256 bits (algorithm 2.A). */
function keyOf256(facts: EncryptionFacts, password: Uint8Array): Uint8Array | undefined {
  const { revision, owner, user, ownerKey, userKey } = facts
  const hash = (salt: Uint8Array, more: Uint8Array) =>
    revision === 5
      ? createHash('sha256').update(password).update(salt).update(more).digest()
      : hardenedHash(password, salt, more)
  const none = new Uint8Array()
  if (isEqual(owner.subarray(0, 32), hash(owner.subarray(32, 40), user))) {
    return decryptAesKey(hash(owner.subarray(40, 48), user), ownerKey)
  }
  if (!isEqual(user.subarray(0, 32), hash(user.subarray(32, 40), none))) return undefined
  return decryptAesKey(hash(user.subarray(40, 48), none), userKey)
}

/** Computes a hash by rounds of AES and of a hash function that the encrypted data selects (algorithm 2.B). */
function hardenedHash(password: Uint8Array, salt: Uint8Array, more: Uint8Array): Uint8Array {
  let key = createHash('sha256').update(password).update(salt).update(more).digest()
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const once = Buffer.concat([password, key, more])
    const data = Buffer.concat(Array.from({ length: 64 }, () => once))
    const encrypted = encryptAesBlocks(key.subarray(0, 16), key.subarray(16, 32), data)
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = createHash(['sha256', 'sha384', 'sha512'][remainder] ?? '')
      .update(encrypted)
      .digest()
    last = encrypted[encrypted.length - 1] ?? 0
  }
  return key.subarray(0, 32)
}

const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other)
