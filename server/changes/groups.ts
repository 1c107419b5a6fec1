// The group of an annotation, which no PDF knows: workers never see it, and setting it is a right of its own.

import type { Caller } from '../auth/caller.js'
import type { Owner } from '../auth/collab.js'
import { Refusal } from '../errors.js'
import { annotationNumber, type Promoted } from './attribution.js'
import { refuseGroup } from './authority.js'
import { annotationsOf } from './op-needs.js'
import type { Op } from './words.js'

/** Members of annotation ops that may name a group. */
const places = ['data', 'patch', 'expect'] as const

const memberOf = (op: Op, place: (typeof places)[number]): unknown => {
  const members = op.type.startsWith('annotations.') ? op[place] : undefined
  return typeof members === 'object' && members !== null && 'groupId' in members ? members.groupId : undefined
}

const groupOf = (op: Op, place: (typeof places)[number]): string | null | undefined => {
  const group = memberOf(op, place)
  return typeof group === 'string' || group === null ? group : undefined
}

/** As a worker gets it. */
export function withoutGroups(op: Op): Op {
  const cut = places.filter((place) => memberOf(op, place) !== undefined)
  if (cut.length === 0) return op
  return { ...op, ...Object.fromEntries(cut.map((place) => [place, withoutGroup(Object(op[place]))])) }
}

function withoutGroup({ groupId: _groupId, ...members }: Readonly<Record<string, unknown>>) {
  return members
}

/** Of a new annotation: what is asked for, else the caller's own. A read that is sent back says null for none. */
export function createdGroupOf(op: Op, caller: Caller): string | null {
  return groupOf(op, 'data') ?? ownGroupOf(caller)
}

const ownGroupOf = (caller: Caller): string | null =>
  caller.kind === 'document' ? (caller.person.groupId ?? null) : null

/** Undefined = stays as it is. */
export const patchedGroupOf = (op: Op): string | null | undefined => groupOf(op, 'patch')

export interface Grouping {
  readonly caller: Caller
  readonly promoted: Promoted
  readonly ownerOf: (annotation: number) => Promise<Owner>
}

/** Throws `Forbidden`, and `ChangeConflict` where a group is not what the caller believes. */
export async function refuseGroups(ops: readonly Op[], { caller, promoted, ownerOf }: Grouping): Promise<void> {
  for (const [opIndex, op] of ops.entries()) {
    const created = groupOf(op, 'data')
    if (typeof created === 'string' && created !== ownGroupOf(caller)) refuseGroup(created, caller)
    const patched = patchedGroupOf(op)
    const expected = groupOf(op, 'expect')
    if (patched === undefined && expected === undefined) continue
    const [ref] = annotationsOf(op)
    const number = ref && annotationNumber(ref, promoted)
    const current = number === undefined ? null : (await ownerOf(number)).groupId
    if (expected !== undefined && expected !== current) {
      throw new Refusal('ChangeConflict', 'The annotation is not in the group it was believed to be in', {
        details: { opIndex, fields: ['groupId'] },
      })
    }
    if (patched !== undefined && patched !== current) refuseGroup(patched, caller)
  }
}
