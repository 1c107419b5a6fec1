// A mark where text should be put in.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { commonMembers } from './common.js'
import { boxMembers, colourMembers } from './families.js'

export const CaretAnnotation = Type.Object({
  subtype: Type.Literal('caret'),
  ...commonMembers,
  ...colourMembers,
  ...boxMembers,
  intent: Nullable(Type.Literal('replace')),
})
export type CaretAnnotation = Static<typeof CaretAnnotation>
