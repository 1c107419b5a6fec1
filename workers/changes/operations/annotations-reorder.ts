// `annotations.reorder`, and how it is taken back.
import { AnnotationsReorder } from '../../shapes/changes/annotations-reorder.js'
import { pageRef } from '../../shapes/page-ref.js'
import { AnnotatedPage } from '../annotations/annotated-page.js'
import { annotationMeta, skipped } from '../annotations/meta.js'
import { type Moved, moveAnnotations, moveBack } from '../annotations/reorder.js'
import { changeOperation, undoOperation } from '../operation.js'

interface ReorderStep extends Moved {
  readonly type: 'annotations.reorder'
  readonly page: number
}

export const annotationsReorder = changeOperation(AnnotationsReorder, {
  type: 'annotations.reorder',
  apply({ page, refs, position }, change) {
    const annotated = new AnnotatedPage(change, page.objectNumber)
    const before = annotated.order
    const isMoved = moveAnnotations(annotated, refs, position)
    if (isMoved) remember(annotated, before)
    return {
      type: 'annotations.reorder' as const,
      page: pageRef(annotated.page),
      order: [...annotated.refs],
      meta: annotationMeta(annotated.page, isMoved ? refs : []),
    }
  },
})

export const annotationsReorderUndo = undoOperation<ReorderStep>({
  type: 'annotations.reorder',
  apply(step, change) {
    if (!change.document.hasPage(step.page)) return skipped('annotations.reorder')
    const annotated = new AnnotatedPage(change, step.page)
    const before = annotated.order
    if (!moveBack(annotated, step)) return skipped('annotations.reorder')
    remember(annotated, before)
    return {
      type: 'annotations.reorder' as const,
      page: pageRef(step.page),
      order: [...annotated.refs],
      meta: annotationMeta(step.page, annotated.refs),
    }
  },
})

function remember({ change, page, order }: AnnotatedPage, before: readonly number[]): void {
  const step: ReorderStep = { type: 'annotations.reorder', page, before, after: order }
  change.undoBy(step)
}
