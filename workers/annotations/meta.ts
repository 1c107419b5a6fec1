// Builds `meta` of annotation items.
import type { AnnotationRef } from '../contract/annotation-ref.js'
import type { AnnotationMeta, CommitMembers } from '../contract/mutation-meta.js'
import { pageRef } from '../contract/page-ref.js'
import type { SkippedReason } from '../contract/skipped-item.js'

/** Returns `meta` with the changed annotations; without any, nothing changed. */
export const annotationMeta = (
  page: number,
  changed: readonly AnnotationRef[],
): Omit<AnnotationMeta, CommitMembers> => ({
  affectedPages: changed.length === 0 ? [] : [pageRef(page)],
  undoable: true,
  changed: [...changed],
})

/** Returns the item of a skipped undo step: see `SkippedItem`. */
export const skipped = (op: string, reason: SkippedReason, ref?: AnnotationRef) => ({
  type: 'skipped' as const,
  op,
  reason,
  ...(ref === undefined ? {} : { ref }),
  meta: { affectedPages: [], undoable: true },
})
