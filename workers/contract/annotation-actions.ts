// Schema of the events of an annotation that have actions.
import { type Static, Type } from 'typebox'
import { ActionTree } from './action-tree.js'

export const AnnotationActions = Type.Object({
  activate: Type.Optional(ActionTree),
  cursorEnter: Type.Optional(ActionTree),
  cursorExit: Type.Optional(ActionTree),
  mouseDown: Type.Optional(ActionTree),
  mouseUp: Type.Optional(ActionTree),
  focus: Type.Optional(ActionTree),
  blur: Type.Optional(ActionTree),
  pageOpen: Type.Optional(ActionTree),
  pageClose: Type.Optional(ActionTree),
  pageVisible: Type.Optional(ActionTree),
  pageInvisible: Type.Optional(ActionTree),
})
export type AnnotationActions = Static<typeof AnnotationActions>
