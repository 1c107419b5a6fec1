// Whose an annotation is that the API token makes: whoever brings annotations along from elsewhere says whose they are and
// of when. From any other caller these members have no effect, so that a read can be sent back.
import { type Attribution, attributionMembers } from '../../workers/contract/annotations/attribution.js'
import type { Op } from '../../workers/contract/ops/index.js'
import type { Caller } from '../auth/caller.js'
import type { AuthorshipRow } from '../rows/authorship.js'

const names: ReadonlySet<string> = new Set(Object.keys(attributionMembers))

/** The op as a worker gets it: it writes the author and the dates into the file. */
export function withoutAttribution(op: Op, { kind }: Caller): Op {
  if (kind === 'api' || op.type !== 'annotations.create') return op
  const { subtype, ...members } = op.data
  const data = Object.fromEntries(Object.entries(members).filter(([name]) => !names.has(name)))
  return { ...op, data: { subtype, ...data } }
}

/** What the server keeps of the attribution; a member that is left out, or null, is as ever. */
export function attributionOverride(data: Attribution, { kind }: Caller): Partial<AuthorshipRow> {
  if (kind !== 'api') return {}
  const { userId, createdBy, modifiedBy, createdAt, modifiedAt } = data
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
