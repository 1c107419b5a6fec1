// Opens the file of a task, with its password where it needs one. Every way this can fail is a refusal with a code that
// the wire contract knows; the password appears in none.
import type { PDFDocument } from 'mupdf'
import { limits } from '../limits.js'
import { JobRefusal, type PdfSource } from '../task.js'
import { fileStream, headOf } from './file-stream.js'
import { mupdf } from './library.js'
import { OpenDocument, type OpenedAs } from './open-document.js'
import { isTrap } from './trap.js'

const header = Buffer.from('%PDF-')
/** Bits of what `authenticatePassword` answers. */
const matchesOwner = 4

export function openFile(source: Pick<PdfSource, 'path' | 'password'>): OpenDocument {
  const pdf = openPdf(source.path)
  try {
    return new OpenDocument(pdf, authenticate(pdf, source.password))
  } catch (error) {
    pdf.destroy()
    throw error
  }
}

/** Still locked, where it is encrypted. */
export function openPdf(path: string): PDFDocument {
  // Without this look mupdf would try the file as a picture, a book or a web page.
  if (!hasHeader(path)) throw new JobRefusal('DocOpenFailed', 'The file is not a PDF')
  const stream = fileStream(path)
  try {
    const document = mupdf.Document.openDocument(stream, 'application/pdf')
    if (document instanceof mupdf.PDFDocument) return document
    document.destroy()
    throw new JobRefusal('DocOpenFailed', 'The file is not a PDF')
  } catch (error) {
    if (isTrap(error) || error instanceof JobRefusal) throw error
    throw unreadable(error)
  } finally {
    stream.destroy()
  }
}

export const hasHeader = (path: string): boolean => headerPlace(path) >= 0
export const hasLeadingJunk = (path: string): boolean => headerPlace(path) > 0

const headerPlace = (path: string): number => Buffer.from(headOf(path, limits.headerSearchBytes)).indexOf(header)

/** ISO 32000-2, 7.6.4: an empty user password opens without asking. */
function authenticate(pdf: PDFDocument, password: Uint8Array | undefined): OpenedAs {
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

/** Messages of the engine may quote the file, so only what kind of failure it was goes out. */
function unreadable(cause: unknown): JobRefusal {
  const said = cause instanceof Error ? cause.message : ''
  return /encryption|crypt|security handler/i.test(said)
    ? new JobRefusal('DocOpenFailed', 'The document is encrypted in a way that is not supported', {
        reason: 'unsupported-encryption',
      })
    : new JobRefusal('DocOpenFailed', 'The document cannot be read')
}
