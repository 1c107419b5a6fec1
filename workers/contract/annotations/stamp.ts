// Contract of a drawing or a picture on the page.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { Words } from '../words.js'
import { boxMembers } from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const Stamp = subtypeContract({
  subtype: 'stamp',
  name: 'Stamp',
  members: {
    ...boxMembers,
    name: Nullable(Type.String()),
    fit: Nullable(Words(['contain', 'cover', 'fill'])),
  },
  write: { requiredOneOf: ['box', 'rect'] },
})
export type StampAnnotation = Static<typeof Stamp.schema>
