// Contract of a closed shape with straight sides.
import { type Static, Type } from 'typebox'
import { Measurement } from '../measurement.js'
import { Nullable } from '../nullable.js'
import { PagePoint } from '../page-point.js'
import { Words } from '../words.js'
import {
  captionMembers,
  cloudMembers,
  drawnBorder,
  fillMembers,
  ownMeasure,
  verticesMembers,
  writtenMeasure,
} from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const Polygon = subtypeContract({
  subtype: 'polygon',
  name: 'Polygon',
  members: {
    ...fillMembers,
    ...verticesMembers,
    ...cloudMembers,
    ...captionMembers,
    intent: Nullable(Words(['polygon-cloud', 'polygon-dimension'])),
    measure: Nullable(Measurement),
  },
  write: {
    required: ['vertices'],
    written: writtenMeasure,
    narrow: { ...drawnBorder, ...ownMeasure, vertices: Type.Array(PagePoint, { minItems: 3 }) },
  },
})
export type PolygonAnnotation = Static<typeof Polygon.schema>
