// Writes the inner objects of a resource. The row lists all pending parts before the first is written, and drops each
// one when it is done. Parts of others are never changed.

import type { Resource } from '../graph/resource.js'
import { compare } from '../plan/compare.js'
import { isOurPart, type Present, staleParts } from '../plan/observation.js'
import { leavesByPart, partHash } from '../plan/part-hash.js'
import type { PlannedLeaf } from '../plan/plan.js'
import type { Parts } from '../plugin/handler.js'
import type { Row } from '../state/row.js'
import { type JsonObject, leafKeys, type Tree } from '../value/tree.js'
import { ignoreGone, writePart } from './part.js'
import type { WantedLeaves } from './record.js'
import type { Task } from './work.js'

export interface PartsFacts {
  readonly resource: Resource
  readonly wanted: WantedLeaves
  readonly found: Present
  /** Desired parts by key, with expanded placeholders. */
  readonly desired: ReadonlyMap<string, Tree>
}

/**
 * Writes the parts and returns the row after the last one. Throws at the first failure; the parts written before it are
 * recorded.
 */
export async function writeParts(task: Task, row: Row, facts: PartsFacts): Promise<Row> {
  const { resource, found, desired } = facts
  const { parts } = resource.handler
  if (!parts) return row
  const policy = parts.policy(resource.declaration)
  const changes = await partChanges(task, row, facts)
  const writes = [...changes].flatMap(([key, leaves]) => {
    const wanted = desired.get(key)
    return wanted ? [{ key, wanted, leaves }] : []
  })
  const wasPending = row.operation?.type === 'parts' ? row.operation.pending : {}
  const pending = Object.fromEntries(writes.map(({ key, leaves }) => [key, partHash(task.work.hasher, leaves)]))
  let current = row
  if (writes.length > 0) {
    current = { ...row, operation: { type: 'parts', pending } }
    await task.work.state.put(task.address, current)
  }
  for (const write of writes) {
    const id = await writePart(task, {
      ...write,
      resource,
      parts,
      parentId: found.id,
      current: found.parts.get(write.key),
      policy,
      isOurs: isOurPart(row, found, write.key),
      wasPending: wasPending[write.key] !== undefined,
    })
    task.onEffect()
    delete pending[write.key]
    current = await checkpoint(task, current, facts.wanted, { ...current.parts, [write.key]: id }, pending)
  }
  for (const key of changes.keys())
    if (!desired.has(key)) current = await removePart(task, current, found.id, parts, key)
  for (const key of staleParts(current, desired, found)) current = await forgetPart(task, current, parts, key)
  return current
}

/** Removes one of our parts at the provider and from the row. */
export async function removePart(
  task: Task,
  row: Row,
  parentId: string,
  parts: Parts<unknown, JsonObject>,
  key: string,
): Promise<Row> {
  const id = row.parts?.[key]
  if (id === undefined) return row
  await task.work.state.flushed()
  await ignoreGone(() => parts.remove(task.call, parentId, id))
  task.onEffect()
  return forgetPart(task, row, parts, key)
}

async function forgetPart(task: Task, row: Row, parts: Parts<unknown, JsonObject>, key: string): Promise<Row> {
  const { [key]: _removed, ...rest } = row.parts ?? {}
  const isOther = (path: string) => !(leafKeys(path)[0] === parts.name && leafKeys(path)[1] === key)
  const leaves = Object.fromEntries(Object.entries(row.leaves).filter(([path]) => isOther(path)))
  const next: Row = { ...row, parts: rest, leaves }
  await task.work.state.put(task.address, next)
  return next
}

/** Returns the leaves that differ, grouped by the key of their part. */
async function partChanges(
  task: Task,
  row: Row,
  facts: PartsFacts,
): Promise<ReadonlyMap<string, readonly PlannedLeaf[]>> {
  const { handler, desired, declaration } = facts.resource
  const partPolicy = handler.parts?.policy(declaration) ?? 'own'
  const { values, hasher } = task.work
  const { changes } = await compare({ handler, desired, row, found: facts.found, partPolicy, values, hasher })
  return leavesByPart(handler, changes)
}

async function checkpoint(
  task: Task,
  row: Row,
  wanted: WantedLeaves,
  parts: Readonly<Record<string, string>>,
  pending: Readonly<Record<string, string>>,
): Promise<Row> {
  const { operation: _previous, ...rest } = row
  const leaves = await wanted.recorded(parts)
  const isFinished = Object.keys(pending).length === 0
  const next: Row = {
    ...rest,
    parts,
    leaves: { ...leaves, ...row.leaves },
    ...(isFinished ? {} : { operation: { type: 'parts', pending: { ...pending } } }),
  }
  await task.work.state.put(task.address, next)
  return next
}
