// Stage two of authority: decides whether the caller may apply each op of a change. Stage one checked the route.

import type { UnfinishedItem } from '../../workers/change/unfinished-item.js'
import type { AnnotationRef } from '../../workers/contract/annotation-ref.js'
import type { Capability } from '../../workers/contract/capabilities.js'
import { annotationsNamedIn, findOpContract, type Item, type Op } from '../../workers/contract/ops/index.js'
import type { CollabAction, OpNeeds } from '../../workers/contract/ops/op-contract.js'
import type { Caller, DocumentCaller } from '../auth/caller.js'
import { decide, maySetGroup, type Owner, ownScope, someScopeNames } from '../auth/collab.js'
import { holds, meets } from '../auth/document-scope.js'
import { annotationNumber } from '../layers/attribution.js'
import { forbidden } from '../refusals/refusal.js'
import type { NeededRight } from '../rows/audit.js'
import type { PromotedAnnotations } from '../rows/version.js'

/** Returns undefined for op types unknown to this version. */
export const needsOf = (type: string): OpNeeds | undefined => findOpContract(type)?.needs

/** Returns the rights that an op needs, in the form stored with the change for a later undo. */
export function rightsOf(op: Op, promoted: PromotedAnnotations): readonly NeededRight[] {
  const about = needsOf(op.type)?.collab === undefined ? [] : annotationsNamedIn(op)
  const further = findOpContract(op.type)?.needsToo?.(op) ?? []
  const others = further.map((type) => ({ op: type, annotation: null }))
  if (about.length === 0) return [{ op: op.type, annotation: null }, ...others]
  return [...about.map((ref) => ({ op: op.type, annotation: annotationNumber(ref, promoted) ?? null })), ...others]
}

/** Returns the rights to update the annotations that ops changed without naming them. */
export function rightsToUpdated(
  items: readonly UnfinishedItem[],
  promoted: PromotedAnnotations,
): readonly NeededRight[] {
  return items.flatMap((item) => {
    const updated = findOpContract(item.type)?.authored?.updatedAnnotations?.(item) ?? []
    return updated.map(({ ref }) => ({ op: 'annotations.update', annotation: annotationNumber(ref, promoted) ?? null }))
  })
}

/** Returns the rights to undo a creation; the annotations had no object number when the creation was authorised. */
export function rightsToCreated(items: readonly Item[], promoted: PromotedAnnotations): readonly NeededRight[] {
  return items.flatMap((item) =>
    createdIn(item).map((ref) => ({ op: item.type, annotation: annotationNumber(ref, promoted) ?? null })),
  )
}

function createdIn(item: Item): readonly AnnotationRef[] {
  if (item.type === 'annotations.import') return item.created.map(({ ref }) => ref)
  const { createdAnnotation, createdAnnotations } = findOpContract(item.type)?.authored ?? {}
  return [...(createdAnnotation ? [createdAnnotation(item)] : []), ...(createdAnnotations?.(item) ?? [])]
}

/** Throws `Forbidden` for an op that the caller may apply to nothing, so that no more than its type is read. */
export function refuseTypes(
  types: readonly string[],
  { caller, permissionBits }: Pick<OwnerLookup, 'caller' | 'permissionBits'>,
): void {
  if (caller.kind !== 'document') return
  for (const type of new Set(types)) {
    const needs = needsOf(type)
    if (needs === undefined || meets(caller.scope, needs, permissionBits)) continue
    const owner = needs.collab === 'create' ? ownerBy(caller) : nobody
    throw forbidden(lackOf({ op: type, annotation: null }, { caller, permissionBits, owner }), { op: type })
  }
}

export interface OwnerLookup {
  readonly caller: Caller
  /** Permission bits of the file that apply to the caller; null = everything. */
  readonly permissionBits: number | null
  /** Resolves to an owner with null members if no authorship is stored. */
  readonly ownerOf: (annotation: number) => Promise<Owner>
}

/** True for the API token, and for tenant tokens, which stage one admits to no change but an undo. */
const isOperator = ({ kind }: Caller): boolean => kind === 'api' || kind === 'tenant'

/** Throws `Forbidden` unless the caller has every right. */
export async function refuseWithout(
  rights: readonly NeededRight[],
  { caller, permissionBits, ownerOf }: OwnerLookup,
): Promise<void> {
  if (isOperator(caller)) return
  if (caller.kind !== 'document') throw forbidden('a document token does, or the API token')
  for (const right of rights) {
    const owner = await ownerFor(right, caller, ownerOf)
    const request = { caller, permissionBits, owner }
    if (!hasRight(right, request)) throw forbidden(lackOf(right, request), detailsOf(right, request))
  }
}

/** True if the caller may update the annotations of this owner. */
export function mayUpdate(owner: Owner, { caller, permissionBits }: Omit<OwnerLookup, 'ownerOf'>): boolean {
  if (caller.kind !== 'document') return isOperator(caller)
  return hasRight({ op: 'annotations.update', annotation: null }, { caller, permissionBits, owner })
}

/** Throws `Forbidden` unless the caller may assign an annotation to this group; null = no group. */
export function refuseGroup(group: string | null, caller: Caller): void {
  if (isOperator(caller)) return
  if (caller.kind === 'document' && maySetGroup(caller.scope, group, caller.person)) return
  throw forbidden(`it lacks annotations:set-group:${group === null ? 'all' : `group=${group}`}`)
}

export const nobody: Owner = { userId: null, groupId: null }

const ownerBy = ({ person }: DocumentCaller): Owner => ({
  userId: person.userId ?? null,
  groupId: person.groupId ?? null,
})

async function ownerFor({ op, annotation }: NeededRight, caller: DocumentCaller, ownerOf: OwnerLookup['ownerOf']) {
  if (needsOf(op)?.collab === 'create') return ownerBy(caller)
  return annotation === null ? nobody : ownerOf(annotation)
}

export interface AccessRequest {
  readonly caller: DocumentCaller
  readonly permissionBits: number | null
  readonly owner: Owner
}

/** Returns which annotation of others is in the way, if collaboration scopes name the action and lack only this one. */
function detailsOf({ op, annotation }: NeededRight, { caller: { scope } }: AccessRequest) {
  const { collab } = needsOf(op) ?? {}
  if (annotation === null || collab === undefined || !someScopeNames(scope.collab, collab)) return { op }
  return { op, ...ofOthers(annotation) }
}

/** Returns the details of every refusal for the sake of an annotation of others. */
export const ofOthers = (objectNumber: number) => ({ reason: 'annotation-of-others', objectNumber })

/** Returns the missing scope or capability. Collaboration scopes that name the action decide alone. */
function lackOf({ op }: NeededRight, { caller, permissionBits, owner }: AccessRequest): string {
  const { scope, person } = caller
  const { capabilities = [], collab, besides = [] } = needsOf(op) ?? {}
  const lacking = besides.filter((capability) => !holds(scope, capability, permissionBits))
  if (lacking.length > 0) return `${op} needs ${lacking.join(', ')}`
  if (collab && someScopeNames(scope.collab, collab))
    return `its collaboration scopes do not let it ${collab} this annotation`
  const isOwn = person.userId !== undefined && person.userId === owner.userId
  return `${op} needs ${capabilities.join(', ')}${collab && isOwn ? ` or ${ownScope(collab)}` : ''}`
}

function hasRight({ op }: NeededRight, { caller, permissionBits, owner }: AccessRequest): boolean {
  const needs = needsOf(op)
  if (needs === undefined) return false
  if (caller.scope.isEverything) return true
  const has = (capability: Capability) => holds(caller.scope, capability, permissionBits)
  if (needs.besides?.every(has) === false) return false
  const decided = needs.collab && decideFor(needs.collab, { caller, permissionBits, owner })
  return decided ?? needs.capabilities.every(has)
}

/** True if the caller may perform the action on an annotation of this owner. */
export function isAllowed(action: CollabAction, judged: AccessRequest): boolean {
  const { caller, permissionBits } = judged
  if (caller.scope.isEverything) return true
  return decideFor(action, judged) ?? holds(caller.scope, 'doc.annotate.modify', permissionBits)
}

const decideFor = (action: CollabAction, { caller: { scope, person }, owner }: AccessRequest): boolean | undefined =>
  decide(scope.collab, action, { caller: person, owner })
