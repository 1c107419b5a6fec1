// Contract of a zigzag line under text.
import type { Static } from 'typebox'
import { markMembers } from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const Squiggly = subtypeContract({
  subtype: 'squiggly',
  name: 'Squiggly',
  members: markMembers,
  write: { required: ['quadPoints'] },
})
export type SquigglyAnnotation = Static<typeof Squiggly.schema>
