// Contract of colour behind text.
import type { Static } from 'typebox'
import { markMembers } from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const Highlight = subtypeContract({
  subtype: 'highlight',
  name: 'Highlight',
  members: markMembers,
  write: { required: ['quadPoints'] },
})
export type HighlightAnnotation = Static<typeof Highlight.schema>
