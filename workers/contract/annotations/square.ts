// Contract of a rectangle.
import type { Static } from 'typebox'
import { boxedMembers, drawnBorder } from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const Square = subtypeContract({
  subtype: 'square',
  name: 'Square',
  members: boxedMembers,
  write: { requiredOneOf: ['box', 'rect'], narrow: drawnBorder },
})
export type SquareAnnotation = Static<typeof Square.schema>
