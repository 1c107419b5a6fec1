// Contract of the window that shows the comment of another annotation.
import { type Static, Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { Nullable } from '../nullable.js'
import { subtypeContract } from './subtype-contract.js'

export const Popup = subtypeContract({
  subtype: 'popup',
  name: 'Popup',
  members: {
    parent: Nullable(AnnotationRef),
    open: Type.Boolean(),
  },
  write: { required: ['rect', 'parent'], narrow: { parent: AnnotationRef } },
})
export type PopupAnnotation = Static<typeof Popup.schema>
