// The window that shows another annotation's comment.
import { type Static, Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { Nullable } from '../nullable.js'
import { commonMembers } from './common.js'

export const PopupAnnotation = Type.Object({
  subtype: Type.Literal('popup'),
  ...commonMembers,
  parent: Nullable(AnnotationRef),
  open: Type.Boolean(),
})
export type PopupAnnotation = Static<typeof PopupAnnotation>
