// Whose an annotation is that the API token makes: whoever brings annotations along from elsewhere says whose they are and
// of when. From any other caller that means nothing, so that a read can be sent back.
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { attributionMembers } from '../../workers/contract/annotations/attribution.js'
import type { Caller } from '../auth/caller.js'
import type { AuthorshipRow } from '../rows/authorship.js'
import type { Op } from './words.js'

const open = { additionalProperties: true } as const
const Attributed = Type.Object({ data: Type.Object(attributionMembers, open) }, open)
const validator = Compile(Attributed)
const names: ReadonlySet<string> = new Set(Object.keys(attributionMembers))

/** As a worker gets it: it writes the author and the dates into the file. */
export function withoutForgery(op: Op, { kind }: Caller): Op {
  if (kind === 'api' || op.type !== 'annotations.create' || !validator.Check(op)) return op
  return { ...op, data: Object.fromEntries(Object.entries(op.data).filter(([name]) => !names.has(name))) }
}

/** What the server keeps of it; a member that is left out, or null, is as ever. */
export function givenAttribution(op: Op | undefined, { kind }: Caller): Partial<AuthorshipRow> {
  if (kind !== 'api' || !validator.Check(op)) return {}
  const { userId, createdBy, modifiedBy, createdAt, modifiedAt } = op.data
  return {
    ...(userId && { userId }),
    ...(createdBy && { createdBy }),
    ...(modifiedBy && { modifiedBy }),
    ...timeIn('createdAt', createdAt),
    ...timeIn('modifiedAt', modifiedAt),
  }
}

/** A leap second is in every standard of dates, and in no calendar of computers. */
function timeIn(name: 'createdAt' | 'modifiedAt', iso: string | null | undefined): Partial<AuthorshipRow> {
  const time = Date.parse(iso ?? '')
  return Number.isNaN(time) ? {} : { [name]: time }
}
