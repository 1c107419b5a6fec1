// Contract of free strokes of a pen.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { PagePoint } from '../page-point.js'
import { drawnBorder, rotationMembers, strokeMembers } from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const Ink = subtypeContract({
  subtype: 'ink',
  name: 'Ink',
  members: {
    ...strokeMembers,
    ...rotationMembers,
    inkList: Type.Array(Type.Array(PagePoint)),
    intent: Nullable(Type.Literal('ink-highlight')),
  },
  write: {
    required: ['inkList'],
    narrow: {
      ...drawnBorder,
      strokeWidth: Type.Number({ exclusiveMinimum: 0 }),
      inkList: Type.Array(Type.Array(PagePoint, { minItems: 1 }), { minItems: 1 }),
    },
  },
})
export type InkAnnotation = Static<typeof Ink.schema>
