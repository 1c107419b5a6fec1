// Stage three of authority: a change may reach annotations it does not name (replies, popups, whatever lies on a page).
// Judged here, for every op alike, from what the worker found to be touched, before anything is committed.
import type { TouchedAnnotation } from '../../workers/change/touched-annotations.js'
import type { CollabAction } from '../../workers/contract/ops/op-contract.js'
import type { DocumentCaller } from '../auth/caller.js'
import type { Owner } from '../auth/collab.js'
import { forbidden } from '../refusals/refusal.js'
import type { NeededRight } from '../rows/audit.js'
import { isAllowed, needsOf, type OwnerLookup } from './authority.js'

/** Any one of them. Whoever may delete an annotation may also change what links it to others. */
const allowing: Readonly<Record<TouchedAnnotation['effect'], readonly CollabAction[]>> = {
  changed: ['update', 'delete'],
  removed: ['delete'],
  restored: ['delete'],
}

/** Rights to an annotation under which it may come and go; others are for altering it. */
const ofPresence: ReadonlySet<string> = new Set(['annotations.create', 'annotations.delete'])

/**
 * Throws `Forbidden`. `rights` are those the change was found to have. Only collaboration scopes tell annotations of one
 * person from those of another: a credential without any may do to all what its capabilities allow.
 */
export async function refuseTouched(
  touched: readonly TouchedAnnotation[],
  rights: readonly NeededRight[],
  { caller, document, ownerOf }: OwnerLookup,
): Promise<void> {
  if (caller.kind !== 'document' || caller.scope.isEverything || caller.scope.collab.length === 0) return
  const reachesUnowned = rights.some(isAboutAnnotations)
  for (const one of touched) {
    if (one.isOfForm || isNamed(one, rights)) continue
    const owner = await ownerOf(one.number)
    if ((isNobody(owner) && !reachesUnowned) || (one.effect === 'changed' && isOwn(owner, caller))) continue
    const asked = { caller, document, owner }
    if (!allowing[one.effect].some((action) => isAllowed(action, asked))) throw refusalOf(one, rights)
  }
}

/** What belongs to nobody is part of the page: for ops that are not about annotations it goes with the page. */
const isAboutAnnotations = ({ op }: NeededRight): boolean =>
  needsOf(op)?.capabilities.includes('doc.annotate.modify') ?? false

/** It was named by an op, or made by the change that is taken back, and so has been judged. */
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
    { ...(right && { op: right.op }), reason: 'annotation-of-others', objectNumber: number },
  )
