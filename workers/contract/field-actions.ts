// Schema of the events of a form field that have actions.
import { type Static, Type } from 'typebox'
import { ActionTree } from './action-tree.js'

export const FieldActions = Type.Object({
  keystroke: Type.Optional(ActionTree),
  format: Type.Optional(ActionTree),
  validate: Type.Optional(ActionTree),
  calculate: Type.Optional(ActionTree),
})
export type FieldActions = Static<typeof FieldActions>
