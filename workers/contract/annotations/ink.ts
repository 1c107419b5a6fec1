// Free strokes of a pen.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { PagePoint } from '../page-point.js'
import { commonMembers } from './common.js'
import { rotationMembers, strokeMembers } from './families.js'

export const InkAnnotation = Type.Object({
  subtype: Type.Literal('ink'),
  ...commonMembers,
  ...strokeMembers,
  ...rotationMembers,
  inkList: Type.Array(Type.Array(PagePoint)),
  intent: Nullable(Type.Literal('ink-highlight')),
})
export type InkAnnotation = Static<typeof InkAnnotation>
