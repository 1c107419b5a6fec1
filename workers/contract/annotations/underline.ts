// Contract of a line under text.
import type { Static } from 'typebox'
import { markMembers } from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const Underline = subtypeContract({
  subtype: 'underline',
  name: 'Underline',
  members: markMembers,
  write: { required: ['quadPoints'] },
})
export type UnderlineAnnotation = Static<typeof Underline.schema>
