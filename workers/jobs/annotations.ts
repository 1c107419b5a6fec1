// The annotations of one page, or of all where none is named (`doc.annotations.list`, `doc.annotations.listAll`).

import type { AnnotationList } from '../contract/annotations/annotation-list.js'
import type { Job, OnDocument } from '../job.js'
import { readAnnotations } from '../pdf/annotations/list.js'
import { Reading } from '../pdf/reading.js'

export const annotations: Job<OnDocument, AnnotationList> = {
  kind: 'read',
  deadline: { constantMs: 15_000, perMegabyteMs: 50 },
  run({ source, page }, { open, limits }) {
    const document = open(source)
    return readAnnotations(new Reading(document, limits.itemsMax), page === undefined ? document.pages : [page])
  },
}
