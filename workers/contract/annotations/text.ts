// A sticky note: an icon that opens a comment.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { Words } from '../words.js'
import { commonMembers } from './common.js'
import { colourMembers } from './families.js'

export const TextIcon = Words(['comment', 'key', 'note', 'help', 'new-paragraph', 'paragraph', 'insert'])
export type TextIcon = Static<typeof TextIcon>

export const TextAnnotation = Type.Object({
  subtype: Type.Literal('text'),
  ...commonMembers,
  ...colourMembers,
  icon: TextIcon,
  state: Nullable(Type.String()),
  stateModel: Nullable(Type.String()),
})
export type TextAnnotation = Static<typeof TextAnnotation>
