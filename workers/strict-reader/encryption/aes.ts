// AES in cipher block chaining, as PDF uses it (ISO 32000-2, 7.6.3).
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { NotStrict } from '../strict-document.js'

const block = 16

/** Decrypts data that begins with its initialization vector and ends with padding. */
export function decryptAes(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return bytes
  if (bytes.length < 2 * block || bytes.length % block !== 0) throw new NotStrict('Encrypted data has a wrong length')
  try {
    const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, bytes.subarray(0, block))
    return Buffer.concat([decipher.update(bytes.subarray(block)), decipher.final()])
  } catch {
    throw new NotStrict('Encrypted data has a wrong padding')
  }
}

/** Decrypts a key, which has no initialization vector and no padding. */
export function decryptAesKey(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const decipher = createDecipheriv('aes-256-cbc', key, new Uint8Array(block)).setAutoPadding(false)
  return Buffer.concat([decipher.update(bytes), decipher.final()])
}

/** Encrypts whole blocks with a 128-bit key, without padding. */
export function encryptAesBlocks(key: Uint8Array, vector: Uint8Array, bytes: Uint8Array): Uint8Array {
  const cipher = createCipheriv('aes-128-cbc', key, vector).setAutoPadding(false)
  return Buffer.concat([cipher.update(bytes), cipher.final()])
}
