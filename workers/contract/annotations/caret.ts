// Contract of a mark where text should be inserted.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { boxMembers, colourMembers } from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const Caret = subtypeContract({
  subtype: 'caret',
  name: 'Caret',
  members: {
    ...colourMembers,
    ...boxMembers,
    intent: Nullable(Type.Literal('replace')),
  },
  write: { requiredOneOf: ['box', 'rect'] },
})
export type CaretAnnotation = Static<typeof Caret.schema>
