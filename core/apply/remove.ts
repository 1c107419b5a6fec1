// Removes objects of the project, reports blockers, and counts missing objects as removed.

import type { Change } from '../plan/plan.js'
import { observe } from '../plan/refresh.js'
import { leftToOther, readOtherProject } from '../plan/taken-over.js'
import { isFailure } from '../plugin/failure.js'
import type { Handler } from '../plugin/handler.js'
import { problem } from '../problems/index.js'
import type { Row } from '../state/row.js'
import { parseAddress } from '../value/address.js'
import { ignoreGone } from './part.js'
import { removePart } from './parts.js'
import type { Task } from './work.js'

type ObjectId = NonNullable<Row['deposed']>[number]

/** Removes the object and all its deposed objects, then the row. */
export async function remove(task: Task, change: Change): Promise<'done'> {
  const row = task.work.state.rows.get(change.address) ?? change.row
  if (!row) return 'done'
  const id = change.row?.id ?? row.id
  await abandonCreate(task, row)
  if (change.action === 'remove') {
    await removeDeposed(task, row, change)
    if (id !== null && row.ownership !== 'external')
      await removeObject(task, await announce(task, row), { id, ...apiOf(row) })
  }
  await task.work.state.delete(change.address)
  return 'done'
}

async function abandonCreate({ work, call, provider, address }: Task, { api, operation }: Row): Promise<void> {
  if (operation?.type !== 'create') return
  await work.connections.handler(provider, parseAddress(address).kind, api).abandon?.(call, operation)
}

/** Records the removal before the call, so that a run after a crash that finds the object gone knows who removed it. */
async function announce({ work, address }: Task, before: Row): Promise<Row> {
  const row = work.state.rows.get(address) ?? before
  if (row.operation !== undefined) return row
  const announced: Row = { ...row, operation: { type: 'removal' } }
  await work.state.put(address, announced)
  return announced
}

/** Removes replaced objects one by one, and drops each from the row when it is gone. */
export async function removeDeposed(task: Task, row: Row, { deposed }: Pick<Change, 'deposed'>): Promise<'done'> {
  let left = row.deposed ?? []
  for (const old of left) {
    // Another project may own an object that an earlier run left; planning has read the objects that this run replaced.
    const isTaken = deposed.includes(old.id) && (await leaveToOther(task, old))
    if (!isTaken) await removeObject(task, { ...row, parts: {} }, old)
    left = left.filter((other) => other !== old)
    const { deposed: _before, ...rest } = task.work.state.rows.get(task.address) ?? row
    await task.work.state.put(task.address, left.length > 0 ? { ...rest, deposed: [...left] } : rest)
  }
  return 'done'
}

/** Reports an object that carries the mark of another project. Returns false for every other one. */
async function leaveToOther({ work, provider, address, call, notes }: Task, { id, api }: ObjectId): Promise<boolean> {
  const handler = work.connections.handler(provider, parseAddress(address).kind, api)
  const project = await readOtherProject(handler, call, { id, ownNames: work.ownNames })
  if (project !== undefined) notes.push(leftToOther(address, { id }, project))
  return project !== undefined
}

/** Removes one remote object; the caller updates the row. */
export async function removeObject(task: Task, row: Row, { id, api }: ObjectId): Promise<void> {
  const { kind } = parseAddress(task.address)
  const handler = task.work.connections.handler(task.provider, kind, api)
  if (handler.keeps?.(row)) return
  await task.work.state.flushed()
  if (handler.parts?.surviveParent) await removeParts(task, row, id, handler.parts)
  try {
    await ignoreGone(() => handler.remove(task.call, id))
    task.onEffect()
  } catch (error) {
    // An earlier removal may have taken effect although its answer was lost, and some services refuse to archive an
    // object twice.
    if (isFailure(error, 'invalid', 'stale') && (await observe(handler, task.call, id)).type === 'gone') return
    if (!isFailure(error, 'inUse') || !handler.blockers) throw error
    await endBlockers(task, handler, id)
    await ignoreGone(() => handler.remove(task.call, id))
    task.onEffect()
  }
}

/** Removes the parts with recorded ids, and any part that an interrupted run created without recording its id. */
async function removeParts(
  task: Task,
  row: Row,
  parentId: string,
  parts: NonNullable<Handler['parts']>,
): Promise<void> {
  const pending = row.operation?.type === 'parts' ? row.operation.pending : {}
  if (Object.keys(pending).length > 0) {
    for await (const remote of parts.list(task.call, parentId)) {
      if (parts.isGone?.(remote) || pending[parts.key(remote)] === undefined) continue
      await ignoreGone(() => parts.remove(task.call, parentId, parts.id(remote)))
    }
  }
  let current = row
  for (const key of Object.keys(row.parts ?? {})) current = await removePart(task, current, parentId, parts, key)
}

async function endBlockers(task: Task, handler: Handler, id: string): Promise<void> {
  const blockers = (await handler.blockers?.(task.call, id)) ?? []
  if (!task.work.options.cascade) {
    const labels = blockers.map(({ label }) => label).join(', ')
    throw problem('provider.in-use', {
      address: task.address,
      detail: `${id} cannot be removed while it is in use${labels ? `: ${labels}` : ''}.`,
      fix: 'End what uses it, or let "agents destroy --cascade" end it.',
    })
  }
  for (const blocker of blockers) await ignoreGone(() => blocker.end(task.call))
}

function apiOf({ api }: Row): Pick<ObjectId, 'api'> {
  return api === undefined ? {} : { api }
}
