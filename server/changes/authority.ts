// Stage two of authority: decides whether the caller may apply each op of a change. Stage one checked the route.

import { permissionBitsOf } from '../../workers/contract/capabilities.js'
import { annotationsNamedIn, findOpContract, type Item, type Op } from '../../workers/contract/ops/index.js'
import type { CollabAction, OpNeeds } from '../../workers/contract/ops/op-contract.js'
import type { Caller, DocumentCaller } from '../auth/caller.js'
import { decide, maySetGroup, type Owner, ownScope, someScopeNames } from '../auth/collab.js'
import { holds } from '../auth/document-scope.js'
import { annotationNumber } from '../layers/attribution.js'
import { forbidden } from '../refusals/refusal.js'
import type { NeededRight } from '../rows/audit.js'
import type { DocumentRow } from '../rows/document.js'
import type { PromotedAnnotations } from '../rows/version.js'

/** Returns undefined for op types unknown to this version. */
export const needsOf = (type: string): OpNeeds | undefined => findOpContract(type)?.needs

/** Returns the rights that an op needs, in the form stored with the change for a later undo. */
export function rightsOf(op: Op, promoted: PromotedAnnotations): readonly NeededRight[] {
  const about = needsOf(op.type)?.collab === undefined ? [] : annotationsNamedIn(op)
  if (about.length === 0) return [{ op: op.type, annotation: null }]
  return about.map((ref) => ({ op: op.type, annotation: annotationNumber(ref, promoted) ?? null }))
}

/** Returns the rights to undo a creation; the annotations had no object number when the creation was authorised. */
export function rightsToCreated(items: readonly Item[], promoted: PromotedAnnotations): readonly NeededRight[] {
  return items
    .filter((item) => item.type === 'annotations.create')
    .map(({ type, annotation: { ref } }) => ({ op: type, annotation: annotationNumber(ref, promoted) ?? null }))
}

export interface OwnerLookup {
  readonly caller: Caller
  readonly document: DocumentRow
  /** Resolves to an owner with null members if no authorship is stored. */
  readonly ownerOf: (annotation: number) => Promise<Owner>
}

/** Throws `Forbidden` unless the caller has every right. */
export async function refuseWithout(
  rights: readonly NeededRight[],
  { caller, document, ownerOf }: OwnerLookup,
): Promise<void> {
  if (caller.kind === 'api') return
  if (caller.kind !== 'document') throw forbidden('a document token does, or the API token')
  for (const right of rights) {
    const owner = await ownerFor(right, caller, ownerOf)
    if (!hasRight(right, { caller, document, owner })) throw forbidden(lackOf(right, caller, owner), { op: right.op })
  }
}

/** Throws `Forbidden` unless the caller may assign an annotation to this group; null = no group. */
export function refuseGroup(group: string | null, caller: Caller): void {
  if (caller.kind === 'api') return
  if (caller.kind === 'document' && maySetGroup(caller.scope, group, caller.person)) return
  throw forbidden(`it lacks annotations:set-group:${group === null ? 'all' : `group=${group}`}`)
}

const nobody: Owner = { userId: null, groupId: null }

async function ownerFor({ op, annotation }: NeededRight, { person }: DocumentCaller, ownerOf: OwnerLookup['ownerOf']) {
  if (needsOf(op)?.collab === 'create') return { userId: person.userId ?? null, groupId: person.groupId ?? null }
  return annotation === null ? nobody : ownerOf(annotation)
}

export interface AccessRequest {
  readonly caller: DocumentCaller
  readonly document: DocumentRow
  readonly owner: Owner
}

/** Returns the missing scope or capability. Collaboration scopes that name the action decide alone. */
function lackOf({ op }: NeededRight, { scope, person }: DocumentCaller, owner: Owner): string {
  const { capabilities = [], collab } = needsOf(op) ?? {}
  if (collab && someScopeNames(scope.collab, collab))
    return `its collaboration scopes do not let it ${collab} this annotation`
  const isOwn = person.userId !== undefined && person.userId === owner.userId
  return `${op} needs ${capabilities.join(', ')}${collab && isOwn ? ` or ${ownScope(collab)}` : ''}`
}

function hasRight({ op }: NeededRight, { caller, document, owner }: AccessRequest): boolean {
  const needs = needsOf(op)
  if (needs === undefined) return false
  if (caller.scope.isEverything) return true
  const decided = needs.collab && decideFor(needs.collab, { caller, document, owner })
  const permissionBits = permissionBitsOf(document.encryption)
  return decided ?? needs.capabilities.every((capability) => holds(caller.scope, capability, permissionBits))
}

/** True if the caller may perform the action on an annotation of this owner. */
export function isAllowed(action: CollabAction, judged: AccessRequest): boolean {
  const { caller, document } = judged
  if (caller.scope.isEverything) return true
  return decideFor(action, judged) ?? holds(caller.scope, 'doc.annotate.modify', permissionBitsOf(document.encryption))
}

const decideFor = (action: CollabAction, { caller: { scope, person }, owner }: AccessRequest): boolean | undefined =>
  decide(scope.collab, action, { caller: person, owner })
