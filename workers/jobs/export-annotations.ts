// Writes the annotations of a document, and on request the values of its form, as an XFDF file
// (`doc.annotations.export`).

import { Reading } from '../document/reading.js'
import { AnnotationNames } from '../exchange/xfdf/annotation-names.js'
import { writeXfdf } from '../exchange/xfdf/write-xfdf.js'
import type { Job, OnDocument } from './job.js'

export interface ExportAnnotationsInput extends OnDocument {
  readonly values: boolean
  /** Internal id of the document, from which names follow. */
  readonly documentId: string
}

export const exportAnnotations: Job<ExportAnnotationsInput, { readonly bytes: Uint8Array }> = {
  kind: 'read',
  deadline: { constantMs: 15_000, perMegabyteMs: 50 },
  run({ source, values, documentId }, { open, limits }) {
    const annotations = new AnnotationNames(documentId)
    return { bytes: writeXfdf(new Reading(open(source), limits.itemsMax), { annotations, values }) }
  },
}
