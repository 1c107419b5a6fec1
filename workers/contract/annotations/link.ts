// Contract of a region with a link target.
import { type Static, Type } from 'typebox'
import { LinkTarget } from '../link-target.js'
import { Nullable } from '../nullable.js'
import { writtenForm } from '../strict.js'
import { subtypeContract } from './subtype-contract.js'

const writtenTarget = writtenForm(LinkTarget)

export const Link = subtypeContract({
  subtype: 'link',
  name: 'Link',
  members: {
    target: Nullable(LinkTarget),
  },
  write: {
    required: ['rect'],
    written: { target: Nullable(writtenTarget) },
    narrow: { target: Nullable(Type.Union(writtenTarget.anyOf.slice(0, 2))) },
  },
})
export type LinkAnnotation = Static<typeof Link.schema>
