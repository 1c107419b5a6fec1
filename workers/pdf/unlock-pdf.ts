// Lets us into an encrypted PDF. The password appears in no error.
import type { PDFDocument } from 'mupdf'
import { JobRefusal } from '../task.js'
import type { OpenedAs } from './open-document.js'

/** Bits of what `authenticatePassword` answers. */
const matchesOwner = 4

/** ISO 32000-2, 7.6.4: an empty user password opens without asking. */
export function unlockPdf(pdf: PDFDocument, password: Uint8Array | undefined): OpenedAs {
  if (pdf.getTrailer().get('Encrypt').isNull()) return 'none'
  const needsPassword = pdf.needsPassword()
  if (password === undefined) {
    if (needsPassword) throw new JobRefusal('DocPasswordRequired', 'The document is encrypted and needs a password')
    return 'user'
  }
  const matched = pdf.authenticatePassword(new TextDecoder().decode(password))
  if (matched === 0) throw new JobRefusal('DocPasswordIncorrect', 'The password does not open the document')
  return (matched & matchesOwner) !== 0 ? 'owner' : 'user'
}
