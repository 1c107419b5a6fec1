// Encrypts content of encrypted documents, and values derived from it, with the sealing key of the deployment, so that
// the data folder is unreadable without the key.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { Refusal } from '../refusals/refusal.js'

const cipher = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** Bytes that sealing adds to the content. */
export const sealedOverheadBytes = nonceBytes + tagBytes

export class Sealing {
  readonly #contentKey: Uint8Array
  readonly #fingerprintKey: Uint8Array

  constructor(sealingKey: Uint8Array) {
    this.#contentKey = derived(sealingKey, 'steward content')
    this.#fingerprintKey = derived(sealingKey, 'steward fingerprint')
  }

  /**
   * Encrypts bytes for a `place`; they can be decrypted only for the same place, so content cannot be moved into
   * another document or layer.
   */
  seal(bytes: Uint8Array, place: string): Uint8Array {
    const nonce = randomBytes(nonceBytes)
    const sealing = createCipheriv(cipher, this.#contentKey, nonce).setAAD(Buffer.from(place, 'utf8'))
    return Buffer.concat([nonce, sealing.update(bytes), sealing.final(), sealing.getAuthTag()])
  }

  /** Decrypts sealed bytes. Throws `RuntimeUnavailable` if they were sealed with another key. */
  open(sealed: Uint8Array, place: string): Uint8Array {
    const end = sealed.length - tagBytes
    try {
      const opening = createDecipheriv(cipher, this.#contentKey, sealed.subarray(0, nonceBytes))
        .setAAD(Buffer.from(place, 'utf8'))
        .setAuthTag(sealed.subarray(end))
      return Buffer.concat([opening.update(sealed.subarray(nonceBytes, end)), opening.final()])
    } catch (cause) {
      const message = 'The edits of this encrypted document were sealed with another key than this server has'
      throw new Refusal('RuntimeUnavailable', message, { cause })
    }
  }

  /** True if the bytes were sealed with this key for this place. */
  opens(sealed: Uint8Array, place: string): boolean {
    try {
      this.open(sealed, place)
      return true
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }

  /** Returns a keyed hash of a text, in lower-case hex, which cannot be verified by guessing the text. */
  fingerprint(text: string): string {
    return createHmac('sha256', this.#fingerprintKey).update(text).digest('hex')
  }
}

const derived = (key: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), purpose, keyBytes))
