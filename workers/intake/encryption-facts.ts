// Reads what a file states about its encryption, which needs no password (ISO 32000-2, 7.6).
import type { PDFDocument } from 'mupdf'
import { entry, integerOf, isDictionary } from '../objects/values.js'

export interface EncryptionFacts {
  readonly state: 'none' | 'encrypted' | 'unsupported'
  /** True if opening requires a password: an encrypted file with an empty user password does not. */
  readonly requiresPassword: boolean
  /** `/P` as an unsigned 32-bit number. */
  readonly permissionBits: number | null
  readonly securityHandlerRevision: number | null
}

export const notEncrypted: EncryptionFacts = {
  state: 'none',
  requiresPassword: false,
  permissionBits: null,
  securityHandlerRevision: null,
}

/** Result for a security handler the engine does not support: nothing of the file can be read. */
export const unsupportedEncryption: EncryptionFacts = { ...notEncrypted, state: 'unsupported' }

/** Reads the encryption; must be called before any password is tried. The check itself tries the empty one. */
export function encryptionFacts(pdf: PDFDocument): EncryptionFacts {
  const encryption = entry(pdf.getTrailer(), 'Encrypt')
  if (!isDictionary(encryption)) return notEncrypted
  const bits = integerOf(entry(encryption, 'P'))
  return {
    state: 'encrypted',
    requiresPassword: pdf.needsPassword(),
    permissionBits: bits === undefined ? null : bits >>> 0,
    securityHandlerRevision: integerOf(entry(encryption, 'R')) ?? null,
  }
}
