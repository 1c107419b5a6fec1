// Contract of a line through text.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { markMembers } from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const Strikeout = subtypeContract({
  subtype: 'strikeout',
  name: 'StrikeOut',
  members: { ...markMembers, intent: Nullable(Type.Literal('strikeout-text-edit')) },
  write: { required: ['quadPoints'] },
})
export type StrikeoutAnnotation = Static<typeof Strikeout.schema>
