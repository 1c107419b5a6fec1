// Stage three of authority: a change may affect annotations that it does not name (replies, popups, annotations of a
// page). They are reported by the worker and checked here, for every op, before the commit.
import type { TouchedAnnotation } from '../../workers/change/touched-annotations.js'
import type { CollabAction } from '../../workers/contract/ops/op-contract.js'
import type { DocumentCaller } from '../auth/caller.js'
import type { Owner } from '../auth/collab.js'
import { forbidden } from '../refusals/refusal.js'
import type { NeededRight } from '../rows/audit.js'
import { isAllowed, needsOf, type OwnerLookup, ofOthers } from './authority.js'

/** Actions of which any one permits an effect. The right to delete includes changing links between annotations. */
const allowing: Readonly<Record<TouchedAnnotation['effect'], readonly CollabAction[]>> = {
  changed: ['update', 'delete'],
  removed: ['delete'],
  restored: ['delete'],
}

/** Ops whose right includes creating and deleting the annotation. */
const ofPresence: ReadonlySet<string> = new Set(['annotations.create', 'annotations.mark', 'annotations.delete'])

/**
 * Throws `Forbidden` if the caller may not affect one of the annotations. `rights`: those already verified for the
 * change. Only collaboration scopes distinguish owners; a credential without them may affect all annotations as far as
 * its capabilities allow.
 */
export async function refuseTouched(
  touched: readonly TouchedAnnotation[],
  rights: readonly NeededRight[],
  { caller, permissionBits, ownerOf }: OwnerLookup,
): Promise<void> {
  if (caller.kind !== 'document' || caller.scope.isEverything || caller.scope.collab.length === 0) return
  const reachesUnowned = rights.some(isAboutAnnotations)
  for (const one of touched) {
    if (one.isOfForm || isNamed(one, rights)) continue
    const owner = await ownerOf(one.number)
    if ((isNobody(owner) && !reachesUnowned) || (one.effect === 'changed' && isOwn(owner, caller))) continue
    const request = { caller, permissionBits, owner }
    if (!allowing[one.effect].some((action) => isAllowed(action, request))) throw refusalOf(one, rights)
  }
}

/** True if an op targets annotations. Other ops may affect annotations without an owner, as part of the page. */
const isAboutAnnotations = ({ op }: NeededRight): boolean =>
  needsOf(op)?.capabilities.includes('doc.annotate.modify') ?? false

/** True if the annotation was named by an op, or created by the undone change, and is therefore already authorised. */
const isNamed = ({ number, effect }: TouchedAnnotation, rights: readonly NeededRight[]): boolean =>
  rights.some(({ op, annotation }) => annotation === number && (effect === 'changed' || ofPresence.has(op)))

const isNobody = ({ userId, groupId }: Owner): boolean => userId === null && groupId === null

const isOwn = ({ userId }: Owner, { person }: DocumentCaller): boolean => userId !== null && userId === person.userId

const verbs: Readonly<Record<TouchedAnnotation['effect'], string>> = {
  changed: 'change',
  removed: 'remove',
  restored: 'restore',
}

const refusalOf = ({ number, effect }: TouchedAnnotation, [right]: readonly NeededRight[]) =>
  forbidden(
    `its collaboration scopes do not let it ${verbs[effect]} annotation obj:${number}, which the change would ${verbs[effect]} as well`,
    { ...(right && { op: right.op }), ...ofOthers(number) },
  )
