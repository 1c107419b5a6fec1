// Runs changes that result in an object: create, replace, update, resume, verify.

import type { Resource } from '../graph/resource.js'
import type { Present } from '../plan/observation.js'
import { present } from '../plan/observation.js'
import type { Change } from '../plan/plan.js'
import { observe } from '../plan/refresh.js'
import type { Remote } from '../plugin/handler.js'
import { problem } from '../problems/index.js'
import type { Row } from '../state/row.js'
import { createObject } from './create.js'
import { initialParts } from './initial-parts.js'
import { writeParts } from './parts.js'
import { waitUntilReady } from './readiness.js'
import { expandDesired, rowFor, WantedLeaves } from './record.js'
import { removeObject } from './remove.js'
import { unappliedLeaves, unappliedNote } from './unapplied-leaves.js'
import { updateObject } from './update.js'
import { finishLater, type Task } from './work.js'

export async function write(task: Task, change: Change): Promise<'done' | 'partial' | 'waiting'> {
  const { resource } = change
  if (!resource) throw new Error(`${change.address}: nothing is declared to write`)
  if (resource.externalId !== undefined) return recordExternal(task, resource, resource.externalId)
  if (resource.handler.isStateOnly) return recordOnly(task, resource)

  const { own, parts } = expandDesired(resource, task.work.values)
  const wanted = new WantedLeaves(resource, task.work)
  const written = await writeObject(task, change, wanted, own)
  const waited = await waitUntilReady(task, written.row, resource, written.remote)
  if (!waited.isReady) return 'waiting'
  const id = waited.row.id ?? ''
  const { handler } = resource
  const answer = present(handler, id, waited.remote)
  const isWhole = handler.answers === 'whole' || waited.remote !== written.remote
  if (handler.parts) {
    const found = written.isNew ? answer : await mustObserve(task, resource, id, waited.row.parts)
    const row = await writeParts(task, waited.row, { resource, wanted, found, desired: parts })
    const isEmpty = written.isNew && parts.size === 0
    return settle(task, change, { wanted, row, ...(isWhole && isEmpty ? { answer } : {}) })
  }
  return settle(task, change, { wanted, row: waited.row, ...(isWhole ? { answer } : {}) })
}

interface WriteResult {
  readonly row: Row
  readonly remote: Remote
  readonly isNew: boolean
}

async function writeObject(task: Task, change: Change, wanted: WantedLeaves, desired: Remote): Promise<WriteResult> {
  const { resource } = wanted
  const row = task.work.state.rows.get(change.address) ?? change.row
  const deposed = row?.deposed ?? []
  const create = async (previous: Row | undefined, old: typeof deposed): Promise<WriteResult> => {
    const created = await createObject(task, { resource, wanted, desired, deposed: old, previous })
    return { ...created, isNew: true }
  }
  if (change.action === 'create' || !row || change.row?.id == null) return create(row, deposed)
  const recovered: Row = deposed.length > 0 ? { ...change.row, deposed } : change.row
  if (change.action === 'replace') return replace(task, resource, recovered, create)
  if (change.found?.type !== 'present') return create(row, deposed)

  const isForced = change.leaves.some(({ path, cause }) => cause === 'dependency' && path.includes('#'))
  const result = await updateObject(task, { resource, row: recovered, found: change.found, desired, isForced })
  if (result === 'gone') return create(undefined, deposed)
  const settled = await settledRow(task, resource, recovered)
  return { row: settled, remote: result, isNew: false }
}

/**
 * Returns the row of a recovered create, whose content was not written: the parts that are still pending remain
 * recorded.
 */
async function settledRow({ work }: Task, resource: Resource, { operation, ...row }: Row): Promise<Row> {
  if (operation?.type === 'parts') return { ...row, operation }
  return operation?.type === 'create' ? { ...row, ...(await initialParts(work, resource)) } : row
}

async function replace(
  task: Task,
  resource: Resource,
  row: Row,
  create: (previous: Row | undefined, deposed: NonNullable<Row['deposed']>) => Promise<WriteResult>,
): Promise<WriteResult> {
  if (row.id === null) return create(row, row.deposed ?? [])
  const { id, api, inputs } = row
  const old = { id, ...(api === undefined ? {} : { api }), ...(inputs === undefined ? {} : { inputs }) }
  if (resource.handler.replace === 'createFirst') return create(row, [...(row.deposed ?? []), old])
  await removeObject(task, row, old)
  return create(undefined, row.deposed ?? [])
}

interface SettleRequest {
  readonly wanted: WantedLeaves
  readonly row: Row
  /** Provider's answer to the write, if it contains the whole object. */
  readonly answer?: Present
}

/**
 * Records the provider's current object. An answer that shows every desired leaf is used as it is; otherwise the object
 * is read, because later reads may differ from the answer to a write.
 */
async function settle(task: Task, change: Change, { wanted, row, answer }: SettleRequest): Promise<'done' | 'partial'> {
  const { work, address } = task
  const { resource } = wanted
  const parts = row.parts ?? {}
  const recordObserved = async (found: Present) => {
    const { id, ...outputs } = resource.handler.outputs(found.remote)
    work.values.set(address, { ...outputs, id })
    const leaves = await wanted.recorded(parts, found)
    return { id, outputs, leaves, notTaken: unappliedLeaves(resource, change, leaves, task.sourcesRead) }
  }
  const answered = answer && (await recordObserved(answer))
  const { id, outputs, leaves, notTaken } =
    answered?.notTaken.length === 0
      ? answered
      : await recordObserved(await mustObserve(task, resource, row.id ?? '', parts))
  const settled: Row = {
    ...rowFor(resource, work.values),
    id,
    leaves,
    ...(notTaken.length > 0 ? { notTaken: [...notTaken] } : {}),
    ...(Object.keys(outputs).length > 0 ? { outputs } : {}),
    ...(Object.keys(parts).length > 0 ? { parts } : {}),
    ...(row.deposed?.length ? { deposed: row.deposed } : {}),
  }
  finishLater(work, work.state.put(address, settled))
  if (notTaken.length === 0) return 'done'
  task.notes.push(unappliedNote(resource, notTaken))
  return 'partial'
}

async function mustObserve(task: Task, resource: Resource, id: string, parts: Row['parts']): Promise<Present> {
  const found = await observe(resource.handler, task.call, id, parts)
  if (found.type === 'present') return found
  throw problem('apply.vanished', {
    address: resource.address,
    detail: `${id} was written and could not be read back.`,
  })
}

async function recordExternal({ work, address }: Task, resource: Resource, id: string): Promise<'done'> {
  work.values.set(address, { id })
  await work.state.put(address, { ...rowFor(resource, work.values), id, ownership: 'external', leaves: {} })
  return 'done'
}

async function recordOnly({ work, address }: Task, resource: Resource): Promise<'done'> {
  const leaves = await new WantedLeaves(resource, work).recorded()
  await work.state.put(address, { ...rowFor(resource, work.values), id: null, leaves })
  return 'done'
}
