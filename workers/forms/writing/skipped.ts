// The answer for a part of an undo that is left alone.
import type { AnnotationRef } from '../../contract/annotation-ref.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import type { SkippedReason } from '../../contract/skipped-item.js'
import { unchanged } from './form-meta.js'

/** `op`: the type the answer would have had. `ref`: what was left alone, where it is known. */
export const skipped = (op: string, reason: SkippedReason = 'changed', ref?: FormFieldRef | AnnotationRef) => ({
  type: 'skipped' as const,
  op,
  reason,
  ...(ref === undefined ? {} : { ref }),
  meta: unchanged(),
})
