// `annotations.mark`: one annotation for each hit. Its undo deletes every one of them like that of a single create.
import { AnnotatedPage } from '../annotations/annotated-page.js'
import { createAnnotation } from '../annotations/create.js'
import { writtenOf } from '../annotations/members.js'
import { numberOf } from '../annotations/remove.js'
import { requestedPages } from '../assembly/requested-pages.js'
import { opWork } from '../change/op-work.js'
import type { MarkDraft } from '../contract/marking.js'
import { AnnotationsMark } from '../contract/ops/annotations-mark.js'
import { pageRef } from '../contract/page-ref.js'
import { findMarks, type PageMarks } from '../marking/find-marks.js'
import type { CreateStep } from './annotations-create.js'

const redaction: MarkDraft = { subtype: 'redact' }

export const work = opWork(AnnotationsMark, {
  apply({ pages: refs, data = redaction, ...sought }, change) {
    const { document, markBudget: budget } = change
    const pages = refs === undefined ? document.pages : requestedPages(change, refs)
    const { found, report } = findMarks(change.reading(), { sought, kind: data.subtype, pages, budget })
    const annotations = found.flatMap((marks) => markPage(new AnnotatedPage(change, marks.page), marks, data))
    return {
      type: 'annotations.mark' as const,
      ...report,
      annotations,
      meta: {
        affectedPages: found.map(({ page }) => pageRef(page)),
        undoable: true,
        changed: annotations.map(({ ref }) => ref),
      },
    }
  },
})

function markPage(annotated: AnnotatedPage, { page, places }: PageMarks, data: MarkDraft) {
  return places.map((quadPoints) => {
    const made = createAnnotation(annotated, { ...data, quadPoints })
    const annotation = annotated.read(made)
    const step: CreateStep = {
      type: 'annotations.create',
      page,
      number: numberOf(made.object),
      made: writtenOf(annotation),
    }
    annotated.change.undoBy(step)
    return annotation
  })
}
