// `annotations.reorder`, and its undo.

import { AnnotatedPage } from '../annotations/annotated-page.js'
import { annotationMeta, skipped } from '../annotations/meta.js'
import { moveAnnotations, moveBack } from '../annotations/reorder.js'
import type { MovedMember } from '../change/list-places.js'
import { opWork, undoWork } from '../change/op-work.js'
import { AnnotationsReorder } from '../contract/ops/annotations-reorder.js'
import { pageRef } from '../contract/page-ref.js'

interface ReorderStep {
  readonly type: 'annotations.reorder'
  readonly page: number
  readonly moved: readonly MovedMember[]
}

export const work = opWork(AnnotationsReorder, {
  apply({ page, refs, position }, change) {
    const annotated = new AnnotatedPage(change, page.objectNumber)
    const moved = moveAnnotations(annotated, refs, position)
    if (moved.length > 0) remember(annotated, moved)
    return {
      type: 'annotations.reorder' as const,
      page: pageRef(annotated.page),
      order: [...annotated.refs],
      meta: annotationMeta(annotated.page, moved.length > 0 ? refs : []),
    }
  },
})

export const undos = [
  undoWork<ReorderStep>({
    type: 'annotations.reorder',
    apply(step, change) {
      if (!change.document.hasPage(step.page)) return skipped('annotations.reorder', 'gone')
      const annotated = new AnnotatedPage(change, step.page)
      const moved = moveBack(annotated, step.moved)
      if (moved.length === 0) return skipped('annotations.reorder', 'changed')
      remember(annotated, moved)
      return {
        type: 'annotations.reorder' as const,
        page: pageRef(step.page),
        order: [...annotated.refs],
        meta: annotationMeta(step.page, annotated.refs),
      }
    },
  }),
]

function remember({ change, page }: AnnotatedPage, moved: readonly MovedMember[]): void {
  const step: ReorderStep = { type: 'annotations.reorder', page, moved }
  change.undoBy(step)
}
