// A region that leads somewhere.
import { type Static, Type } from 'typebox'
import { LinkTarget } from '../link-target.js'
import { Nullable } from '../nullable.js'
import { commonMembers } from './common.js'

export const LinkAnnotation = Type.Object({
  subtype: Type.Literal('link'),
  ...commonMembers,
  target: Nullable(LinkTarget),
})
export type LinkAnnotation = Static<typeof LinkAnnotation>
