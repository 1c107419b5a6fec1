// Contract of a line of several straight segments.
import { type Static, Type } from 'typebox'
import { LineEndings } from '../line-ending.js'
import { Measurement } from '../measurement.js'
import { Nullable } from '../nullable.js'
import { PagePoint } from '../page-point.js'
import {
  captionMembers,
  drawnBorder,
  fillMembers,
  ownMeasure,
  verticesMembers,
  writtenMeasure,
} from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const Polyline = subtypeContract({
  subtype: 'polyline',
  name: 'PolyLine',
  members: {
    ...fillMembers,
    ...verticesMembers,
    ...captionMembers,
    lineEndings: LineEndings,
    intent: Nullable(Type.Literal('polyline-dimension')),
    measure: Nullable(Measurement),
  },
  write: {
    required: ['vertices'],
    written: writtenMeasure,
    narrow: { ...drawnBorder, ...ownMeasure, vertices: Type.Array(PagePoint, { minItems: 2 }) },
  },
})
export type PolylineAnnotation = Static<typeof Polyline.schema>
