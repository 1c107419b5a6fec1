// Opens a PDF file, optionally with sections after its last byte. Encrypted files remain locked.
import type { PDFDocument } from 'mupdf'
import { JobRefusal } from '../contract/job-refusal.js'
import { fileStream, headOf, type Piece } from '../engine/file-stream.js'
import { mupdf } from '../engine/library.js'
import { isTrap } from '../engine/trap.js'
import { limits } from '../limits.js'

const header = Buffer.from('%PDF-')

/** Opens a file. `behind`: sections that follow the file's last byte. */
export function openPdf(path: string, appended: readonly Piece[] = []): PDFDocument {
  // Without this check mupdf would try to open the file as a picture, a book or a web page.
  if (!hasHeader(path)) throw new JobRefusal('DocOpenFailed', 'The file is not a PDF')
  const stream = fileStream(path, appended)
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

/** True for a file with a header, and for one that begins with an object instead, as no other format does. */
export const hasHeader = (path: string): boolean =>
  headerPlace(path) >= 0 || firstObject.test(head(path).toString('latin1'))
export const hasLeadingJunk = (path: string): boolean => headerPlace(path) > 0

const firstObject = /^(?:[\0\t\n\f\r ]|%[^\r\n]*[\r\n])*\d{1,10}[\t\n\f\r ]+\d{1,5}[\t\n\f\r ]+obj\b/
const head = (path: string): Buffer => Buffer.from(headOf(path, limits.headerSearchBytes))
const headerPlace = (path: string): number => head(path).indexOf(header)

/** Returns a refusal by the kind of failure only, because the engine's messages may quote the file. */
function unreadable(cause: unknown): JobRefusal {
  const written = cause instanceof Error ? cause.message : ''
  return /encryption|crypt|security handler/i.test(written)
    ? new JobRefusal('DocOpenFailed', 'The document is encrypted in a way that is not supported', {
        reason: 'unsupported-encryption',
      })
    : new JobRefusal('DocOpenFailed', 'The document cannot be read')
}
