// A drawing or a picture put on the page.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { Words } from '../words.js'
import { commonMembers } from './common.js'
import { boxMembers } from './families.js'

export const StampAnnotation = Type.Object({
  subtype: Type.Literal('stamp'),
  ...commonMembers,
  ...boxMembers,
  name: Nullable(Type.String()),
  fit: Nullable(Words(['contain', 'cover', 'fill'])),
})
export type StampAnnotation = Static<typeof StampAnnotation>
