// Who may make or change redaction marks: whoever applies the marks of a layer carries out those of everybody.
import type { UnfinishedItem } from '../../workers/change/unfinished-item.js'
import { itemMembersOf } from '../../workers/contract/ops/item-members.js'
import { holds } from '../auth/document-scope.js'
import { forbidden } from '../refusals/refusal.js'
import type { OwnerLookup } from './authority.js'

/** The capability that a mark needs, beside the right to create or change annotations. */
const marking = 'doc.redact'

export const mayMark = ({ caller, permissionBits }: Pick<OwnerLookup, 'caller' | 'permissionBits'>): boolean =>
  caller.kind !== 'document' || holds(caller.scope, marking, permissionBits)

/** Throws `Forbidden` if the change made, changed or brought back a mark, and its caller may not. */
export function refuseMarks(
  items: readonly UnfinishedItem[],
  lookup: Pick<OwnerLookup, 'caller' | 'permissionBits'>,
): void {
  if (mayMark(lookup)) return
  const marked = items.find((item) => annotationsIn(item).some(({ subtype }) => subtype === 'redact'))
  if (marked) throw forbidden(`redaction marks need ${marking}`, { op: marked.type, needs: [marking] })
}

function annotationsIn(item: UnfinishedItem): readonly { readonly subtype?: unknown }[] {
  const members: Readonly<Record<string, unknown>> = { ...item }
  return [...itemMembersOf(item.type)].flatMap(([name, kind]) =>
    kind === 'annotation' ? [members[name]].flat().map(Object) : [],
  )
}
