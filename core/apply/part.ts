// Writes one inner object: creates, updates or recreates it, or adopts an existing one that is certainly ours.

import type { Problem } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import type { ObservedPart } from '../plan/observation.js'
import type { PlannedLeaf } from '../plan/plan.js'
import { isFailure } from '../plugin/failure.js'
import { fieldAt } from '../plugin/fields.js'
import type { LeafChange, Parts } from '../plugin/handler.js'
import { problem } from '../problems/index.js'
import {
  canonical,
  type Json,
  type JsonObject,
  type LeafPath,
  leafKeys,
  leafPath,
  leavesOf,
  type Tree,
} from '../value/tree.js'
import { applyLimits, backoffMs, type Task } from './work.js'

export interface PartWrite {
  readonly resource: Resource
  readonly parts: Parts<unknown, JsonObject>
  readonly parentId: string
  readonly key: string
  /** Desired part with expanded placeholders. */
  readonly wanted: Tree
  /** Leaves that differ, with paths from the root of the resource. */
  readonly leaves: readonly PlannedLeaf[]
  /** The provider's current part under this key. */
  readonly current: ObservedPart | undefined
  readonly policy: 'once' | 'upsert' | 'own'
  readonly isOurs: boolean
  /** True if an interrupted run was about to write the part. */
  readonly wasPending: boolean
}

/** Writes one part and returns its id. */
export async function writePart(task: Task, write: PartWrite): Promise<string> {
  const { parts, parentId, key, wanted, leaves, current } = write
  if (!current) return createPart(task, write)
  if (write.policy === 'own' && !write.isOurs && !write.wasPending && !isExactMatch(parts, wanted, current.tree))
    throw foreignPart(write)
  // If parts are only initial content, an existing part is not changed (agent configuration 2.8, P-A rule 5).
  if (write.policy === 'once') return current.id
  const changes = leaves.map(({ path }) => changeWithin(path, current.tree, wanted))
  const mustRecreate = write.isOurs && changes.some(({ path }) => fieldAt(parts.fields, path).immutable)
  if (parts.update && !mustRecreate) {
    await parts.update(task.call, parentId, {
      key,
      id: current.id,
      desired: wanted,
      observed: current.tree,
      remote: current.remote,
      changes,
    })
    return current.id
  }
  await ignoreGone(() => parts.remove(task.call, parentId, current.id))
  return createPart(task, write)
}

/**
 * Creates a part. If the answer is lost, the list shows whether it exists: its key is unique within the parent and was
 * free before.
 */
async function createPart(task: Task, { parts, parentId, key, wanted }: PartWrite): Promise<string> {
  const { clock, random } = task.work.options.ports
  for (let attempt = 1; ; attempt++) {
    try {
      return parts.id(await parts.create(task.call, parentId, { key, desired: wanted }))
    } catch (error) {
      if (!isFailure(error, 'retry') || !error.isAmbiguous || attempt >= applyLimits.createAttemptsMax) throw error
      await clock.sleep((error.retryAfterMs ?? 0) + backoffMs(attempt, random.fraction()), task.signal)
      for await (const remote of parts.list(task.call, parentId)) {
        if (!parts.isGone?.(remote) && parts.key(remote) === key) return parts.id(remote)
      }
    }
  }
}

/** Runs a removal. An object that is already gone is no failure. */
export async function ignoreGone(remove: () => Promise<void>): Promise<void> {
  try {
    await remove()
  } catch (error) {
    if (!isFailure(error, 'gone')) throw error
  }
}

/** True if the part is equal in every visible leaf (agent configuration 2.7: another policy is not an exact match). */
function isExactMatch(parts: Parts<unknown, JsonObject>, wanted: Tree, current: Tree): boolean {
  const visible = leavesOf(current)
  return [...leavesOf(wanted)].every(([path, value]) => {
    const { writeOnly, unordered } = fieldAt(parts.fields, path)
    const other = visible.get(path)
    return writeOnly || (other !== undefined && textOf(value, unordered) === textOf(other, unordered))
  })
}

function textOf(value: Json, unordered: true | undefined): string {
  return unordered && Array.isArray(value) ? value.map(canonical).sort().join() : canonical(value)
}

function changeWithin(path: LeafPath, current: Tree, wanted: Tree): LeafChange {
  const inner = leafPath(leafKeys(path).slice(2))
  return { path: inner, before: leavesOf(current).get(inner), after: leavesOf(wanted).get(inner) }
}

function foreignPart({ resource, parts, key }: PartWrite): Problem {
  return problem('apply.part-taken', {
    address: resource.address,
    detail: `${resource.address} declares "${key}" under ${parts.name}, but the provider has another one under this key that agents did not create.`,
  })
}
