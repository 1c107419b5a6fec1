// Lists the annotations of one page, or of all pages if none is named (`doc.annotations.list`,
// `doc.annotations.listAll`).

import { readAnnotations } from '../annotations/reading/list.js'
import type { AnnotationList } from '../contract/annotations/annotation-list.js'
import { Reading } from '../document/reading.js'
import type { Job, OnDocument } from './job.js'

export const annotations: Job<OnDocument, AnnotationList> = {
  kind: 'read',
  deadline: { constantMs: 15_000, perMegabyteMs: 50 },
  run({ source, page }, { open, limits }) {
    const document = open(source)
    return readAnnotations(new Reading(document, limits.itemsMax), page === undefined ? document.pages : [page])
  },
}
