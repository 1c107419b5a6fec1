// What an annotation op answers beside its result.
import type { AnnotationRef } from '../../shapes/annotation-ref.js'
import type { AnnotationMeta, CommitMembers } from '../../shapes/changes/mutation-meta.js'
import type { SkippedReason } from '../../shapes/changes/skipped.js'
import { pageRef } from '../../shapes/page-ref.js'

/** Nothing changed where no annotation did. */
export const annotationMeta = (
  page: number,
  changed: readonly AnnotationRef[],
): Omit<AnnotationMeta, CommitMembers> => ({
  affectedPages: changed.length === 0 ? [] : [pageRef(page)],
  undoable: true,
  changed: [...changed],
})

/** What an undo would have done, and left: see `SkippedItem`. */
export const skipped = (op: string, reason: SkippedReason, ref?: AnnotationRef) => ({
  type: 'skipped' as const,
  op,
  reason,
  ...(ref === undefined ? {} : { ref }),
  meta: { affectedPages: [], undoable: true },
})
