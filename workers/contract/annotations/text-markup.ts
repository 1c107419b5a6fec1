// Marks on text: highlights and lines under, along and through it.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { commonMembers } from './common.js'
import { colourMembers, quadMembers } from './families.js'

const members = { ...commonMembers, ...colourMembers, ...quadMembers }

export const HighlightAnnotation = Type.Object({ subtype: Type.Literal('highlight'), ...members })
export const UnderlineAnnotation = Type.Object({ subtype: Type.Literal('underline'), ...members })
export const SquigglyAnnotation = Type.Object({ subtype: Type.Literal('squiggly'), ...members })
export const StrikeoutAnnotation = Type.Object({
  subtype: Type.Literal('strikeout'),
  ...members,
  intent: Nullable(Type.Literal('strikeout-text-edit')),
})

export type HighlightAnnotation = Static<typeof HighlightAnnotation>
export type UnderlineAnnotation = Static<typeof UnderlineAnnotation>
export type SquigglyAnnotation = Static<typeof SquigglyAnnotation>
export type StrikeoutAnnotation = Static<typeof StrikeoutAnnotation>
