// Author and dates sent by the API token, for annotations that are migrated from another system. For other callers
// these members have no effect, so that a response can be sent back as a request.
import { type Attribution, attributionMembers } from '../../workers/contract/annotations/attribution.js'
import type { Op } from '../../workers/contract/ops/index.js'
import type { Caller } from '../auth/caller.js'
import { holds } from '../auth/document-scope.js'
import { permissionBitsIn } from '../operation/authority.js'
import type { DocumentContext } from '../operation/operation.js'
import type { AuthorshipRow } from '../rows/authorship.js'

const names: ReadonlySet<string> = new Set(Object.keys(attributionMembers))

/** True if annotations of files that the caller brings keep the authors and dates that the files state. */
export function keepsAuthors(context: Pick<DocumentContext, 'caller' | 'document' | 'openedAs'>): boolean {
  const { caller } = context
  if (caller.kind !== 'document') return caller.kind === 'api'
  return holds(caller.scope, 'doc.annotate.import', permissionBitsIn(context))
}

/** Returns the op for the worker, without attribution members unless the API token sent it. */
export function withoutAttribution(op: Op, { kind }: Caller): Op {
  if (kind === 'api' || op.type !== 'annotations.create') return op
  const { subtype, ...members } = op.data
  const data = Object.fromEntries(Object.entries(members).filter(([name]) => !names.has(name)))
  return { ...op, data: { subtype, ...data } }
}

/** Returns the stored members of the attribution; absent and null members keep their defaults. */
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

/** Throws for leap seconds: ISO 8601 allows them, `Date` does not. */
function timeIn(name: 'createdAt' | 'modifiedAt', iso: string | null | undefined): Partial<AuthorshipRow> {
  const time = Date.parse(iso ?? '')
  return Number.isNaN(time) ? {} : { [name]: time }
}
