// Contract of a sticky note: an icon that opens a comment.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { Words } from '../words.js'
import { colourMembers } from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const TextIcon = Words(['comment', 'key', 'note', 'help', 'new-paragraph', 'paragraph', 'insert'])
export type TextIcon = Static<typeof TextIcon>

export const Text = subtypeContract({
  subtype: 'text',
  name: 'Text',
  members: {
    ...colourMembers,
    icon: TextIcon,
    /** True if the window of the note shows open; always as the `open` of its popup. */
    open: Type.Boolean(),
    state: Nullable(Type.String()),
    stateModel: Nullable(Type.String()),
  },
  write: { required: ['rect'] },
})
export type TextAnnotation = Static<typeof Text.schema>
