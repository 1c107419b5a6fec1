// `annotations.delete`, and its undo: the annotations are restored at their positions.

import { AnnotatedPage } from '../annotations/annotated-page.js'
import { refuseUnexpected } from '../annotations/members.js'
import { annotationMeta, skipped } from '../annotations/meta.js'
import type { AnnotationEntry } from '../annotations/reading/page-annotations.js'
import { numberOf, type RemovedAnnotation, removeAll, restoreAll, withDependants } from '../annotations/remove.js'
import { refuseWidget } from '../annotations/update.js'
import { opWork, undoWork } from '../change/op-work.js'
import { AnnotationsDelete } from '../contract/ops/annotations-delete.js'
import { pageRef } from '../contract/page-ref.js'

export const work = opWork(AnnotationsDelete, {
  apply({ ref, expect }, change) {
    const annotated = new AnnotatedPage(change, ref.page.objectNumber)
    const found = annotated.find(ref)
    const annotation = annotated.read(found)
    refuseWidget(annotation)
    refuseUnexpected(expect, annotation)
    return deleteFrom(annotated, found)
  },
})

export function deleteFrom(annotated: AnnotatedPage, found: AnnotationEntry) {
  const { change, page } = annotated
  const all = withDependants(annotated, found)
  const removed = removeAll(annotated, all)
  const step: DeleteStep = { type: 'annotations.delete', page, removed }
  change.undoBy(step)
  const meta = annotationMeta(
    page,
    all.map(({ ref }) => ref),
  )
  return { type: 'annotations.delete' as const, page: pageRef(page), meta }
}

interface DeleteStep {
  readonly type: 'annotations.delete'
  readonly page: number
  readonly removed: readonly RemovedAnnotation[]
}

interface RestoreStep {
  readonly type: 'annotations.restore'
  readonly page: number
  readonly numbers: readonly number[]
}

const annotationsDeleteUndo = undoWork<DeleteStep>({
  type: 'annotations.delete',
  apply({ page, removed }, change) {
    if (!change.document.hasPage(page)) return skipped('annotations.restore', 'gone')
    const annotated = new AnnotatedPage(change, page)
    const restored = restoreAll(annotated, removed)
    if (restored.length === 0) return skipped('annotations.restore', 'changed')
    const numbers = restored.map(({ object }) => numberOf(object))
    const step: RestoreStep = { type: 'annotations.restore', page, numbers }
    change.undoBy(step)
    return {
      type: 'annotations.restore',
      page: pageRef(page),
      annotations: restored.map((entry) => annotated.read(entry)),
      meta: annotationMeta(
        page,
        restored.map(({ ref }) => ref),
      ),
    }
  },
})

/** Deletes the annotations that an undo restored, and those that depend on them since. */
const annotationsRestoreUndo = undoWork<RestoreStep>({
  type: 'annotations.restore',
  apply({ page, numbers }, change) {
    if (!change.document.hasPage(page)) return skipped('annotations.delete', 'gone')
    const annotated = new AnnotatedPage(change, page)
    const found = numbers.map((number) => annotated.siblings.numbered(number)).filter((entry) => entry !== undefined)
    const all = [
      ...new Map(
        found.flatMap((one) => withDependants(annotated, one)).map((one) => [numberOf(one.object), one]),
      ).values(),
    ]
    if (all.length === 0) return skipped('annotations.delete', 'gone')
    const removed = removeAll(annotated, all)
    const step: DeleteStep = { type: 'annotations.delete', page, removed }
    change.undoBy(step)
    const meta = annotationMeta(
      page,
      all.map(({ ref }) => ref),
    )
    return { type: 'annotations.delete', page: pageRef(page), meta }
  },
})

export const undos = [annotationsDeleteUndo, annotationsRestoreUndo]
