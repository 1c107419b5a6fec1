// Creates an object so that a crash or a lost answer at any point leaves neither a duplicate nor an orphan.

import type { Resource } from '../graph/resource.js'
import { findLostCreate, isUnfindable, likenessKey } from '../plan/lost-create.js'
import { mayBeLeft } from '../plan/lost-creates.js'
import { ApiFailure, isFailure, NotYet } from '../plugin/failure.js'
import type { Remote } from '../plugin/handler.js'
import type { Operation, Row } from '../state/row.js'
import type { Tree } from '../value/tree.js'
import { initialParts } from './initial-parts.js'
import { NotBegun } from './places.js'
import { rowFor, type WantedLeaves } from './record.js'
import { applyLimits, backoffMs, reportLater, type Task } from './work.js'

type CreateOperation = Extract<Operation, { readonly type: 'create' }>

export interface CreateFacts {
  readonly resource: Resource
  readonly wanted: WantedLeaves
  /** Desired tree with expanded placeholders, without parts. */
  readonly desired: Tree
  /** Replaced objects, to be removed once no resource needs them. */
  readonly deposed: NonNullable<Row['deposed']>
  /** Row to restore if the provider refuses; undefined if there was none. */
  readonly previous: Row | undefined
}

/**
 * Journals the intent, creates the object and journals its id; the outcome waits until that is durable. The resulting
 * row has no observed leaves yet.
 */
export async function createObject(
  task: Task,
  facts: CreateFacts,
): Promise<{ readonly row: Row; readonly remote: Remote }> {
  const { work, address } = task
  const { state, values } = work
  const { resource, deposed, previous } = facts
  const { random } = work.options.ports
  const nowMs = work.connections.clocks.now(task.provider)
  const open = previous?.operation?.type === 'create' && previous.id === null ? previous.operation : undefined
  const operation = open
    ? { ...open, retriedAtMs: nowMs }
    : { type: 'create' as const, nonce: random.uuid(), startedAtMs: nowMs }
  const leaves = await facts.wanted.recorded()
  const row: Row = {
    ...rowFor(resource, values),
    id: null,
    leaves,
    ...(deposed.length > 0 ? { deposed: [...deposed] } : {}),
  }
  await state.put(address, { ...row, operation })
  await beginOrWithdraw(task, previous)
  return oneByOne(task, facts, { ...row, operation }, () => makeAndRecord(task, facts, row, open, operation))
}

/** Waits for a place; if the run is stopped before, restores the previous row, because nothing was sent. */
async function beginOrWithdraw({ work: { state }, address, begin }: Task, previous: Row | undefined): Promise<void> {
  try {
    await begin()
  } catch (error) {
    if (!(error instanceof NotBegun)) throw error
    if (previous === undefined) await state.delete(address)
    else await state.put(address, previous)
    throw error
  }
}

async function makeAndRecord(
  task: Task,
  facts: CreateFacts,
  row: Row,
  open: CreateOperation | undefined,
  operation: CreateOperation,
): Promise<{ readonly row: Row; readonly remote: Remote }> {
  const { work, address } = task
  const { state, values } = work
  const { resource } = facts
  const remote = await createOrFind(task, facts, { row: { ...row, operation }, operation, wasOpen: open !== undefined })
  const { id, ...outputs } = resource.handler.outputs(remote)
  const created: Row = {
    ...row,
    id,
    ...(Object.keys(outputs).length > 0 ? { outputs } : {}),
    ...(await initialParts(work, resource)),
  }
  task.onEffect()
  reportLater(task, state.put(address, created))
  values.set(address, { ...outputs, id })
  return { row: created, remote }
}

/**
 * Runs creates of equal objects one after the other if objects are found by content: each must have its row before the
 * next one searches.
 */
async function oneByOne<Result>(
  { work, address }: Task,
  { resource }: CreateFacts,
  row: Row,
  make: () => Promise<Result>,
): Promise<Result> {
  if (resource.handler.lostCreate.by !== 'content') return make()
  const key = likenessKey(address, row)
  const before = work.alike.get(key)
  const own = (before ?? Promise.resolve()).then(make, make)
  const ended = own.then(
    () => {},
    () => {},
  )
  work.alike.set(key, ended)
  return own
}

interface CreateAttempt {
  readonly row: Row
  readonly operation: CreateOperation
  readonly wasOpen: boolean
}

async function createOrFind(
  task: Task,
  facts: CreateFacts,
  { row, operation, wasOpen }: CreateAttempt,
): Promise<Remote> {
  const { work, call, signal } = task
  const { handler, declaration } = facts.resource
  const { clock, random } = work.options.ports
  let hasMadeWay = false
  for (let attempt = 1; ; attempt++) {
    try {
      return await handler.create(call, {
        desired: facts.desired,
        sources: declaration.sources,
        nonce: operation.nonce,
      })
    } catch (error) {
      // An aborted request may still take effect later, so the object with this name may be our own.
      if (isFailure(error, 'nameTaken') && (wasOpen || attempt > 1)) {
        const found = await findOwn(task, facts, row)
        if (found) return found
      }
      if (isFailure(error, 'nameTaken') && !hasMadeWay) {
        hasMadeWay = true
        if (await makeWay(task, facts)) continue
      }
      const isUncertain = error instanceof ApiFailure ? error.isAmbiguous : signal.aborted
      if (isUncertain && attempt === 1 && !wasOpen && isUnfindable(handler, true))
        task.notes.push(mayBeLeft(task.address, row))
      if (!isUncertain) {
        await putBack(task, facts, error)
        throw error
      }
      const mayRepeat = !signal.aborted && !work.options.gentleStop?.aborted
      if (!isFailure(error, 'retry') || !mayRepeat || attempt >= applyLimits.createAttemptsMax) throw error
      await clock.sleep((error.retryAfterMs ?? 0) + backoffMs(attempt, random.fraction()), signal)
      const found = await findOwn(task, facts, row)
      if (found) return found
    }
  }
}

/** Renames the objects being replaced, which may have the requested name. Returns false if there are none. */
async function makeWay({ call }: Task, { resource: { handler }, deposed }: CreateFacts): Promise<boolean> {
  const inTheWay = deposed.filter(({ api }) => api === undefined || api === handler.api)
  if (!handler.makeWay || inTheWay.length === 0) return false
  for (const { id } of inTheWay) await handler.makeWay(call, id)
  return true
}

function findOwn(
  { work, address, call }: Task,
  { resource, desired }: CreateFacts,
  row: Row,
): Promise<Remote | undefined> {
  const { ownNames, state, hasher } = work
  const { handler } = resource
  return findLostCreate({ handler, call, address, ownNames, row, desired, rows: state.rows, hasher })
}

/** Restores the previous row after the provider certainly created nothing. */
async function putBack(
  { work, address }: Task,
  { resource, wanted, previous }: CreateFacts,
  error: unknown,
): Promise<void> {
  if (error instanceof NotYet && error.facts && previous?.id == null) {
    const leaves = await wanted.recorded()
    const operation = { type: 'cleanup' as const, facts: { ...error.facts } }
    const deposed = previous?.deposed?.length ? { deposed: previous.deposed } : {}
    return work.state.put(address, { ...rowFor(resource, work.values), id: null, leaves, ...deposed, operation })
  }
  const hasMore = (previous?.deposed?.length ?? 0) > 0 || previous?.operation?.type === 'cleanup'
  if (previous === undefined || (previous.id === null && !hasMore)) await work.state.delete(address)
  else await work.state.put(address, previous)
}
