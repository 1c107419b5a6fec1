// A line of several straight parts.
import { type Static, Type } from 'typebox'
import { LineEndings } from '../line-ending.js'
import { Measurement } from '../measurement.js'
import { Nullable } from '../nullable.js'
import { commonMembers } from './common.js'
import { captionMembers, fillMembers, verticesMembers } from './families.js'

export const PolylineAnnotation = Type.Object({
  subtype: Type.Literal('polyline'),
  ...commonMembers,
  ...fillMembers,
  ...verticesMembers,
  ...captionMembers,
  lineEndings: LineEndings,
  intent: Nullable(Type.Literal('polyline-dimension')),
  measure: Nullable(Measurement),
})
export type PolylineAnnotation = Static<typeof PolylineAnnotation>
