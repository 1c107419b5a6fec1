// Makes one change, or refuses it: authority, the worker, and every row that follows, put into the caller's transaction.
import type { Work } from '../../workers/jobs/change.js'
import type { Owner } from '../auth/collab.js'
import type { Resources } from '../operation.js'
import type { NeededRight } from '../rows/audit.js'
import type { Transaction } from '../storage/transaction.js'
import { refuseGroup, refuseWithout, rightsOf } from './authority.js'
import { checkedOps } from './checked-ops.js'
import { finishChange } from './finished-change.js'
import { refuseGroups, withoutGroups } from './groups.js'
import type { GroupStep, Result } from './kept-change.js'
import { nextLayerOf, refuseFull, rowBefore } from './layer-row.js'
import { putChange } from './put-change.js'
import { resourcesOf } from './resource-keys.js'
import { runChange } from './run-change.js'
import type { ChangeState } from './state.js'
import { findUndone } from './undo.js'
import type { ChangeWork, Op } from './words.js'

export interface Making {
  readonly opId: string
  readonly kind: string
  readonly work: ChangeWork
  /** The ops come as the client sent them. */
  readonly areOpsUnchecked?: boolean
}

export interface Made {
  readonly auditId: number
  readonly result: Result
  /** Something was taken out of the layer for good. */
  readonly isRedaction: boolean
}

/** What a change comes to once it is known what it asks for. */
export interface Plan {
  readonly work: Work
  readonly ops: readonly Op[]
  readonly resources: Resources
  readonly rights: readonly NeededRight[]
  readonly undoOf: string | null
  /** Groups an undo puts back. */
  readonly groups: readonly GroupStep[]
}

/** Throws what refuses the change, before anything is put into the transaction. */
export async function makeChange(transaction: Transaction, state: ChangeState, making: Making): Promise<Made> {
  const plan = await planOf(state, making)
  const now = state.context.deployment.clock.now()
  const next = nextLayerOf(state)
  const { work, resources } = plan
  const changed = await runChange(state, { work, resources, now, keyAfter: `${next.id}/${next.token}` })
  const layer = rowBefore(state, next.id, now)
  refuseFull(layer, changed)
  const finished = await finishChange(state, { ...making, plan, changed, next, layer, now })
  const auditId = await putChange(transaction, state, finished)
  return { auditId, result: finished.result, isRedaction: finished.privateBase !== null }
}

async function planOf(state: ChangeState, { work, areOpsUnchecked = false }: Making): Promise<Plan> {
  if ('undoOf' in work) return planOfUndo(state, work.undoOf)
  return planOfOps(state, areOpsUnchecked ? checkedOps(work.ops) : work.ops)
}

async function planOfOps(state: ChangeState, ops: readonly Op[]): Promise<Plan> {
  const { context, document, promoted } = state
  const { caller } = context
  const rights = ops.flatMap((op) => rightsOf(op, promoted))
  const ownerOf = ownersOf(state)
  await refuseWithout(rights, { caller, document, ownerOf })
  await refuseGroups(ops, { caller, promoted, ownerOf })
  const work = { kind: 'ops', ops: ops.map(withoutGroups) } as const
  return { work, ops, resources: resourcesOf(ops, context.resources()), rights, undoOf: null, groups: [] }
}

async function planOfUndo(state: ChangeState, undoOf: string): Promise<Plan> {
  const { context, document } = state
  const { caller } = context
  const { opId, rights, steps, groups } = await findUndone(state, undoOf)
  await refuseWithout(rights, { caller, document, ownerOf: ownersOf(state) })
  for (const { before } of groups) refuseGroup(before, caller)
  return { work: { kind: 'undo', steps }, ops: [], resources: {}, rights, undoOf: opId, groups }
}

const ownersOf =
  ({ context, owner }: ChangeState) =>
  async (annotation: number): Promise<Owner> => {
    const { tenant, document, layerName } = owner
    const row = await context.deployment.tables.authorship.get([tenant, document, layerName, annotation])
    return { userId: row?.userId ?? null, groupId: row?.groupId ?? null }
  }
