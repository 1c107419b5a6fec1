// Groups of annotations. They are stored by the server, not in the PDF, and need a separate right to set.

import { annotationsNamedIn, type Op } from '../../workers/contract/ops/index.js'
import type { Caller } from '../auth/caller.js'
import type { Owner } from '../auth/collab.js'
import { annotationNumber } from '../layers/attribution.js'
import { Refusal } from '../refusals/refusal.js'
import type { PromotedAnnotations } from '../rows/version.js'
import { refuseGroup } from './authority.js'

interface Members {
  readonly [member: string]: unknown
}

/** Members of an annotation that an op sets or expects. */
interface AnnotationMembers {
  readonly data?: Members
  readonly patch?: Members
  readonly expect?: Members
}

function annotationMembersOf(op: Op): AnnotationMembers {
  switch (op.type) {
    case 'annotations.create':
    case 'annotations.mark':
      return { data: { ...op.data } }
    case 'annotations.update':
      return { patch: op.patch, ...(op.expect && { expect: op.expect }) }
    case 'annotations.delete':
      return { ...(op.expect && { expect: op.expect }) }
    default:
      return {}
  }
}

function groupIn(members: Members | undefined): string | null | undefined {
  const group = members?.groupId
  return typeof group === 'string' || group === null ? group : undefined
}

/** Returns the op for the worker, without `groupId`. */
export function withoutGroups<Any extends Op>(op: Any): Any {
  const withGroup = Object.entries(annotationMembersOf(op)).filter(([, members]) => 'groupId' in members)
  if (withGroup.length === 0) return op
  return { ...op, ...Object.fromEntries(withGroup.map(([place, members]) => [place, withoutGroup(members)])) }
}

function withoutGroup({ groupId: _groupId, ...members }: Members) {
  return members
}

/** Returns the group of a new annotation: the requested one, else that of the caller. Null = no group. */
export function createdGroupOf(op: Op, caller: Caller): string | null {
  return groupIn(annotationMembersOf(op).data) ?? ownGroupOf(caller)
}

/** Returns the group of the caller; null = none. */
export const ownGroupOf = (caller: Caller): string | null =>
  caller.kind === 'document' ? (caller.person.groupId ?? null) : null

/** Returns the group that a patch sets; undefined = unchanged. */
export const patchedGroupOf = (op: Op): string | null | undefined => groupIn(annotationMembersOf(op).patch)

export interface GroupContext {
  readonly caller: Caller
  readonly promoted: PromotedAnnotations
  readonly ownerOf: (annotation: number) => Promise<Owner>
}

/** Throws `Forbidden`, and `ChangeConflict` if the current group differs from `expect`. */
export async function refuseGroups(ops: readonly Op[], { caller, promoted, ownerOf }: GroupContext): Promise<void> {
  for (const [opIndex, op] of ops.entries()) {
    const { data, patch, expect } = annotationMembersOf(op)
    const created = groupIn(data)
    if (typeof created === 'string' && created !== ownGroupOf(caller)) refuseGroup(created, caller)
    const patched = groupIn(patch)
    const expected = groupIn(expect)
    if (patched === undefined && expected === undefined) continue
    const [ref] = annotationsNamedIn(op)
    const number = ref && annotationNumber(ref, promoted)
    const current = number === undefined ? null : (await ownerOf(number)).groupId
    if (expected !== undefined && expected !== current) {
      throw new Refusal('ChangeConflict', 'The annotation is not in the group it was expected to be in', {
        details: { opIndex, fields: ['groupId'] },
      })
    }
    if (patched !== undefined && patched !== current) refuseGroup(patched, caller)
  }
}
