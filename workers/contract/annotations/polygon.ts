// A closed shape of straight sides.
import { type Static, Type } from 'typebox'
import { Measurement } from '../measurement.js'
import { Nullable } from '../nullable.js'
import { Words } from '../words.js'
import { commonMembers } from './common.js'
import { captionMembers, cloudMembers, fillMembers, verticesMembers } from './families.js'

export const PolygonAnnotation = Type.Object({
  subtype: Type.Literal('polygon'),
  ...commonMembers,
  ...fillMembers,
  ...verticesMembers,
  ...cloudMembers,
  ...captionMembers,
  intent: Nullable(Words(['polygon-cloud', 'polygon-dimension'])),
  measure: Nullable(Measurement),
})
export type PolygonAnnotation = Static<typeof PolygonAnnotation>
