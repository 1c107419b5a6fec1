// Rectangles and ellipses.
import { type Static, Type } from 'typebox'
import { commonMembers } from './common.js'
import { boxMembers, cloudMembers, fillMembers } from './families.js'

const members = { ...commonMembers, ...fillMembers, ...boxMembers, ...cloudMembers }

export const SquareAnnotation = Type.Object({ subtype: Type.Literal('square'), ...members })
export const CircleAnnotation = Type.Object({ subtype: Type.Literal('circle'), ...members })

export type SquareAnnotation = Static<typeof SquareAnnotation>
export type CircleAnnotation = Static<typeof CircleAnnotation>
