// Contract of an ellipse; its box and lines are those of a square.
import type { Static } from 'typebox'
import { boxedMembers, drawnBorder } from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const Circle = subtypeContract({
  subtype: 'circle',
  name: 'Circle',
  like: 'square',
  members: boxedMembers,
  write: { requiredOneOf: ['box', 'rect'], narrow: drawnBorder },
})
export type CircleAnnotation = Static<typeof Circle.schema>
