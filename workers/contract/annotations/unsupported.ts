// An annotation of a kind that has no members of its own here: media, printer's marks, inventions.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { CountFromZero } from '../numbers.js'
import { commonMembers } from './common.js'

export const UnsupportedAnnotation = Type.Object({
  subtype: Type.Literal('unsupported'),
  ...commonMembers,
  /** 0 = a kind no standard knows. */
  rawSubtypeCode: CountFromZero,
  rawSubtypeName: Nullable(Type.String()),
})
export type UnsupportedAnnotation = Static<typeof UnsupportedAnnotation>
