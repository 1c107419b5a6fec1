// Schema of an undo step that was skipped, with the reason.
import { type Static, Type } from 'typebox'
import { AnnotationRef } from './annotation-ref.js'
import { FormFieldRef } from './form-field-ref.js'
import { MutationMeta } from './mutation-meta.js'
import { Words } from './words.js'

const Reason = Words(['answered', 'changed', 'gone'])
export type SkippedReason = Static<typeof Reason>

export const SkippedItem = Type.Object({
  type: Type.Literal('skipped'),
  op: Type.String(),
  reason: Type.Optional(Reason),
  ref: Type.Optional(Type.Union([AnnotationRef, FormFieldRef])),
  meta: MutationMeta,
})
