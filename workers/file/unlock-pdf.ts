// Unlocks an encrypted PDF. No error contains the password.
import type { PDFDocument } from 'mupdf'
import { JobRefusal } from '../contract/job-refusal.js'
import { entry, integerOf } from '../objects/values.js'
import { preparedPassword } from '../strict-reader/encryption/prepared-password.js'

/** Password that unlocked the file; `none` if the file is not encrypted. */
export type OpenedAs = 'none' | 'user' | 'owner'

/** Bits of the result of `authenticatePassword`. */
const matchesOwner = 4

/** First revision of the security handler with Unicode passwords. */
const unicodeRevision = 5

/** Unlocks the document. An empty user password needs no request (ISO 32000-2, 7.6.4). */
export function unlockPdf(pdf: PDFDocument, password: Uint8Array | undefined): OpenedAs {
  if (pdf.getTrailer().get('Encrypt').isNull()) return 'none'
  const needsPassword = pdf.needsPassword()
  if (password === undefined) {
    if (needsPassword) throw new JobRefusal('DocPasswordRequired', 'The document is encrypted and needs a password')
    return 'user'
  }
  // The engine would compare only the part before U+0000.
  const matched = password.includes(0) ? 0 : authenticate(pdf, new TextDecoder().decode(password))
  if (matched === 0) throw new JobRefusal('DocPasswordIncorrect', 'The password does not open the document')
  return (matched & matchesOwner) !== 0 ? 'owner' : 'user'
}

/** Tries the password as typed, then as prepared by the standard: programs differ in this. */
function authenticate(pdf: PDFDocument, password: string): number {
  const matched = pdf.authenticatePassword(password)
  const prepared = preparedPassword(password)
  const isUnicode = (integerOf(entry(pdf.getTrailer(), 'Encrypt', 'R')) ?? 0) >= unicodeRevision
  return matched === 0 && isUnicode && prepared !== password ? pdf.authenticatePassword(prepared) : matched
}
