// Opens the source of a job strictly: the file, and behind it the edits of a layer as one section, as they would be sent.
import { JobRefusal } from '../contract/job-refusal.js'
import { sentSection } from '../file/section/layer-section.js'
import { contentOf } from '../file/section/section-pieces.js'
import type { PdfSource } from '../messages/task.js'
import { LockedFile } from '../strict-reader/encryption/security.js'
import { openStrict, type StrictOptions } from '../strict-reader/open-strict.js'
import { NotStrict, type StrictDocument } from '../strict-reader/strict-document.js'

/** Throws `OverlayWanted` if the edits of the layer are not sent along. */
export function strictOptions(source: PdfSource): StrictOptions {
  const { overlay, password } = source
  if (overlay !== undefined && overlay.images === undefined)
    throw new JobRefusal('OverlayWanted', 'The edits of the layer are required')
  const images = overlay?.images ?? []
  if (images.length === 0) return { password }
  return { password, section: Buffer.concat(sentSection(source, images).pieces.map(contentOf)) }
}

/** Calls `read` with the document. Throws refusals for a locked file, and `MalformedPdf` for one that is not strict. */
export function withStrict<Answer>(source: PdfSource, read: (document: StrictDocument) => Answer): Answer {
  return unlocked(source, () => {
    try {
      const document = openStrict(source.path, strictOptions(source))
      try {
        return read(document)
      } finally {
        document.close()
      }
    } catch (error) {
      if (error instanceof LockedFile || !(error instanceof NotStrict)) throw error
      throw new JobRefusal('MalformedPdf', `The structure of the file is not certain: ${error.message}`)
    }
  })
}

/** Turns the error of a locked file into a refusal. */
export function unlocked<Answer>({ password }: Pick<PdfSource, 'password'>, work: () => Answer): Answer {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof LockedFile)) throw error
    if (password === undefined) throw new JobRefusal('DocPasswordRequired', 'The document needs a password')
    throw new JobRefusal('DocPasswordIncorrect', 'The password does not open the document')
  }
}
