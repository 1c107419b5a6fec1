// Plan of a change after authorisation: the ops, or the steps of an undo.

import type { Op } from '../../workers/contract/ops/index.js'
import type { Work } from '../../workers/jobs/change.js'
import { permissionBitsIn } from '../operation/authority.js'
import type { Resources } from '../operation/operation.js'
import type { Refusal } from '../refusals/refusal.js'
import type { NeededRight } from '../rows/audit.js'
import { withoutAttribution } from './attribution-override.js'
import { refuseGroup, refuseTypes, refuseWithout, rightsOf } from './authority.js'
import type { ChangeWork, UndoWork } from './change-types.js'
import { checkedOps } from './checked-ops.js'
import { groupUndoSteps } from './group-changes.js'
import { refuseGroups, withoutGroups } from './groups.js'
import { ownersOf } from './owners.js'
import { resourcesOf } from './resource-keys.js'
import type { ChangeState } from './state.js'
import type { GroupStep } from './stored-change.js'
import type { TextPlace } from './stored-texts.js'
import { findUndoTarget } from './undo.js'

export interface ChangeInput {
  readonly opId: string
  readonly kind: string
  readonly work: ChangeWork
  /** Refusal returned if the file needs repair; undefined if no repair has been tried yet. */
  readonly unrepairable?: Refusal | undefined
  /** How many object numbers to reserve with the change, see `top-up.ts`. */
  readonly numbersWanted?: number
}

export interface Plan {
  readonly work: Work
  readonly ops: readonly Op[]
  readonly resources: Resources
  readonly rights: readonly NeededRight[]
  readonly undoOf: string | null
  /** Groups that an undo restores. */
  readonly groups: readonly GroupStep[]
  /** Where texts are stored that the change may bring back; none for ops. */
  readonly texts: ReadonlyMap<string, TextPlace>
  /** True for an undo of what somebody else did. */
  readonly undoesAnother: boolean
}

/** Throws the refusal of the change. */
export async function planOf(state: ChangeState, { work }: ChangeInput): Promise<Plan> {
  if (work.kind === 'undo') return planOfUndo(state, work)
  const { context } = state
  const types = work.ops.map(({ type }) => type)
  refuseTypes(types, { caller: context.caller, permissionBits: permissionBitsIn(context) })
  return planOfOps(state, work.kind === 'raw' ? checkedOps(work.ops) : work.ops)
}

async function planOfOps(state: ChangeState, ops: readonly Op[]): Promise<Plan> {
  const { context, promoted } = state
  const { caller } = context
  const rights = ops.flatMap((op) => rightsOf(op, promoted))
  const ownerOf = ownersOf(state)
  await refuseWithout(rights, { caller, permissionBits: permissionBitsIn(context), ownerOf })
  await refuseGroups(ops, { caller, promoted, ownerOf })
  const work = { kind: 'ops', ops: ops.map((op) => withoutAttribution(withoutGroups(op), caller)) } as const
  return {
    work,
    ops,
    resources: resourcesOf(ops, context.resources()),
    rights,
    undoOf: null,
    groups: [],
    texts: new Map(),
    undoesAnother: false,
  }
}

async function planOfUndo(state: ChangeState, undo: UndoWork): Promise<Plan> {
  const { context } = state
  const { caller } = context
  const { opId, rights, steps, groups, texts, isOfAnother } = await findUndoTarget(state, undo)
  await refuseWithout(rights, { caller, permissionBits: permissionBitsIn(context), ownerOf: ownersOf(state) })
  for (const { before } of groups) refuseGroup(before, caller)
  const work = { kind: 'undo', steps: [...steps, ...groupUndoSteps(groups, steps)] } as const
  return { work, ops: [], resources: {}, rights, undoOf: opId, groups, texts, undoesAnother: isOfAnother }
}
