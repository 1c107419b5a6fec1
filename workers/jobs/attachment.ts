// Reads the bytes of one attached file: of the document, or of an annotation (`doc.attachments.read`).
import { PageAnnotations } from '../annotations/reading/page-annotations.js'
import { type AnnotationRef, annotationKey } from '../contract/annotation-ref.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { Reading } from '../document/reading.js'
import { contentOfFile, type FileContent, readAttachment } from '../metadata/attachments.js'
import { entry } from '../objects/values.js'
import type { Job, OnDocument } from './job.js'

export interface AttachmentInput extends OnDocument {
  /** Key in the list of the document, or the annotation. */
  readonly of: { readonly key: string } | { readonly annotation: AnnotationRef }
}

export const attachment: Job<AttachmentInput, FileContent> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 50 },
  run({ source, of }, { open, limits }) {
    const reading = new Reading(open(source), limits.itemsMax)
    if ('key' in of) return readAttachment(reading, of.key)
    const { page } = of.annotation
    const found = new PageAnnotations(reading, page.objectNumber).entryOf(of.annotation)
    if (found === undefined) {
      const message = `There is no annotation ${annotationKey(of.annotation)} on the page obj:${page.objectNumber}`
      throw new JobRefusal('NotFound', message)
    }
    return contentOfFile(reading, entry(found.object, 'FS'))
  },
}
