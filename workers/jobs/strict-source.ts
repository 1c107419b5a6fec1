// Opens the file of a job strictly: the base, and the edits of the layer as the section that would be sent after it.
import { JobRefusal } from '../contract/job-refusal.js'
import { sentSection } from '../file/section/layer-section.js'
import { contentOf } from '../file/section/section-pieces.js'
import type { PdfSource, StoredImage } from '../messages/task.js'
import { LockedFile } from '../strict-reader/encryption/security.js'
import { openStrict, type StrictOptions } from '../strict-reader/open-strict.js'
import type { StrictDocument } from '../strict-reader/strict-document.js'

/** Throws `OverlayWanted` if the source has edits without their images. */
export function strictOptions(source: PdfSource): StrictOptions {
  const { password } = source
  const images = imagesOf(source)
  if (images.length === 0) return { password }
  const { pieces } = sentSection(source, images)
  return { password, section: Buffer.concat(pieces.map(contentOf)) }
}

/** Returns the edits; see `strictOptions`. */
export function imagesOf({ overlay }: Pick<PdfSource, 'overlay'>): readonly StoredImage[] {
  const images = overlay === undefined ? [] : overlay.images
  if (images === undefined) throw new JobRefusal('OverlayWanted', 'The edits of the layer are required')
  return images
}

/** Throws `NotStrict`, and refusals if a password is missing or wrong. */
export function withStrict<Answer>(
  source: PdfSource,
  work: (document: StrictDocument) => Answer,
  options: Pick<StrictOptions, 'references'> = {},
): Answer {
  const document = refuseLocked(source, () => openStrict(source.path, { ...strictOptions(source), ...options }))
  try {
    return work(document)
  } finally {
    document.close()
  }
}

/** Converts a `LockedFile` into the refusal that names what is missing. */
export function refuseLocked<Answer>({ password }: PdfSource, work: () => Answer): Answer {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof LockedFile)) throw error
    throw password === undefined
      ? new JobRefusal('DocPasswordRequired', 'The document is encrypted and needs a password')
      : new JobRefusal('DocPasswordIncorrect', 'The password does not open the document')
  }
}
