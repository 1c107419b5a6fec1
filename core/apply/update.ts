// Updates an object in place. If the answer of a guarded update was lost, a read shows whether it took effect.

import type { Resource } from '../graph/resource.js'
import { absentHash } from '../plan/base.js'
import { compare } from '../plan/compare.js'
import { partKeyOf } from '../plan/hasher.js'
import type { Present } from '../plan/observation.js'
import type { PlannedLeaf } from '../plan/plan.js'
import { observe } from '../plan/refresh.js'
import { isFailure } from '../plugin/failure.js'
import { fieldAt } from '../plugin/fields.js'
import type { LeafChange, Remote } from '../plugin/handler.js'
import { problem } from '../problems/index.js'
import type { Row } from '../state/row.js'
import { leavesOf, type Tree } from '../value/tree.js'
import { applyLimits, type Task } from './work.js'

export interface UpdateFacts {
  readonly resource: Resource
  readonly row: Row
  readonly found: Present
  /** Desired tree with expanded placeholders, without parts. */
  readonly desired: Tree
  /**
   * True if a pinned output of another resource changed: the update is sent although no leaf of the resource itself
   * changed.
   */
  readonly isForced: boolean
}

/**
 * Updates the object and returns it. If no leaf has to be sent it is as it was last read, which an update whose answer
 * was lost may have changed. Returns `gone` if the object does not exist.
 */
export async function updateObject(task: Task, facts: UpdateFacts): Promise<Remote | 'gone'> {
  const { resource, desired } = facts
  let found = facts.found
  for (let attempt = 1; ; attempt++) {
    const changed = await ownChanges(task, facts, found)
    if (changed.length === 0 && !(facts.isForced && attempt === 1)) return found.remote
    if (!resource.handler.update) throw new Error(`${resource.address}: no update, and yet not replaced`)
    await task.work.state.flushed()
    try {
      const updated = await resource.handler.update(task.call, {
        id: found.id,
        desired,
        observed: found.observed,
        remote: found.remote,
        changes: changed.map((leaf) => leafChange(leaf, found.observed, desired)),
        sources: resource.declaration.sources,
      })
      task.onEffect()
      return updated
    } catch (error) {
      if (!isFailure(error, 'stale', 'gone')) throw error
      const now = await observe(resource.handler, task.call, found.id, facts.row?.parts)
      if (now.type === 'gone') return 'gone'
      if (error.class === 'gone') throw error // A reference in the request is missing, not the object itself.
      if (attempt >= applyLimits.staleAttemptsMax) throw error
      if (!isSame(found, now)) {
        const left = await leftOver(task, facts, now)
        if (left.length === 0) return now.remote
        if (left.some(({ before }) => before.type !== 'unverified')) throw changedMeanwhile(resource)
      }
      found = now
    }
  }
}

/** Returns the leaves that still differ, compared with the values that are known now. */
async function ownChanges(
  { work }: Task,
  { resource, row }: UpdateFacts,
  found: Present,
): Promise<readonly PlannedLeaf[]> {
  const { handler, desired, declaration } = resource
  const partPolicy = handler.parts?.policy(declaration) ?? 'own'
  const { changes } = await compare({
    handler,
    desired,
    row,
    found,
    partPolicy,
    values: work.values,
    hasher: work.hasher,
  })
  return changes.filter(({ path }) => partKeyOf(handler, path) === undefined)
}

/**
 * Returns the leaves that an update would still have to send to an object that changed meanwhile. What is no longer
 * declared and belongs to others then is not one of them: it has a default of the provider, which is not known here.
 */
async function leftOver(task: Task, facts: UpdateFacts, now: Present): Promise<readonly PlannedLeaf[]> {
  const { fields } = facts.resource.handler
  const left = await ownChanges(task, facts, now)
  return left.filter(({ path, afterHash }) => afterHash !== absentHash || fieldAt(fields, path).owner !== 'declared')
}

function isSame(before: Present, now: Present): boolean {
  const text = (found: Present) => JSON.stringify([...leavesOf(found.observed)].sort())
  return text(before) === text(now)
}

function leafChange({ path, afterHash }: PlannedLeaf, observed: Tree, desired: Tree): LeafChange {
  return {
    path,
    before: leavesOf(observed).get(path),
    after: afterHash === absentHash ? undefined : leavesOf(desired).get(path),
  }
}

function changedMeanwhile({ address }: Resource): Error {
  return problem('apply.changed-meanwhile', {
    address,
    detail: `Someone else changed ${address} after it was read, so updating it could overwrite their work.`,
  })
}
