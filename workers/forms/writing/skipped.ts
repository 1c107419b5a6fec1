// Builds the item of an undo step that was skipped.
import type { AnnotationRef } from '../../contract/annotation-ref.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import type { SkippedReason } from '../../contract/skipped-item.js'
import { unchanged } from './form-meta.js'

/** Returns the item. `op`: type that the item would have had. `ref`: the skipped object, if it is known. */
export const skipped = (op: string, reason: SkippedReason = 'changed', ref?: FormFieldRef | AnnotationRef) => ({
  type: 'skipped' as const,
  op,
  reason,
  ...(ref === undefined ? {} : { ref }),
  meta: unchanged(),
})
