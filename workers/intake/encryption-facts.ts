// What a file says about its encryption, which can be read without its password (ISO 32000-2, 7.6).
import type { PDFDocument } from 'mupdf'
import { entry, integerOf, isDictionary } from '../objects/values.js'

export interface EncryptionFacts {
  readonly state: 'none' | 'encrypted' | 'unsupported'
  /** It opens with a password only: an encrypted file with an empty user password needs none. */
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

/** A security handler the engine does not know: nothing of the file can be read. */
export const unsupportedEncryption: EncryptionFacts = { ...notEncrypted, state: 'unsupported' }

/** Asked before any password is tried, because asking tries the empty one. */
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
