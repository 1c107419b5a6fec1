// One step of an apply: carries out a change within its deadline and reports how it ended.
import { type Diagnostic, Problem } from '../diagnostic.js'
import type { WalkResult } from '../graph/walk.js'
import { explainFailure } from '../plan/explain.js'
import { isUnfindable } from '../plan/lost-create.js'
import { Deadline } from '../plugin/deadline.js'
import { NotYet } from '../plugin/failure.js'
import { diagnostic } from '../problems/index.js'
import { withNameHolder } from './name-holder.js'
import { NotBegun } from './places.js'
import { recordDrift } from './record-drift.js'
import { remove, removeDeposed } from './remove.js'
import type { Report } from './report.js'
import type { Step } from './steps.js'
import { applyLimits, type Task, type Work } from './work.js'
import { write } from './write.js'

/**
 * Runs a step. `warnings` are the findings of the preflight by address. A failed change is reported, and never rejects.
 */
export async function runStep(
  work: Work,
  step: Step,
  report: Report,
  warnings: ReadonlyMap<string, readonly Diagnostic[]> = new Map(),
): Promise<WalkResult> {
  const opened = openTask(work, step, report, step.type === 'remove' ? (warnings.get(step.change.address) ?? []) : [])
  try {
    if (!isPrepared(step)) await opened.task.begin()
    const status = await perform(opened.task, step)
    reportDone(opened.task, step, report, status)
    return status === 'partial' ? 'done' : status
  } catch (error) {
    await Promise.allSettled(opened.task.recording)
    return reportFailure(opened, step, report, await withNameHolder(opened.task, step.change, error))
  } finally {
    opened.end()
  }
}

/**
 * True for a create that journals its intent before it takes a place among the changes in progress. After a crash its
 * object is searched for although nothing was sent, so an object that nobody can find is not created so.
 */
function isPrepared({ type, change: { action, resource } }: Step): boolean {
  if (type !== 'write' || action !== 'create' || resource === undefined) return false
  const { handler, externalId } = resource
  return externalId === undefined && handler.isStateOnly !== true && !isUnfindable(handler, true)
}

interface OpenTask {
  readonly task: Task
  readonly deadlineMs: number
  readonly deadline: Deadline
  /** True once the provider has made a change. */
  hasEffect(): boolean
  /** Leaves the place of the change to another one. */
  end(): void
}

function openTask(work: Work, step: Step, report: Report, warnings: readonly Diagnostic[]): OpenTask {
  const { change } = step
  const { address, provider } = change
  const { hardStop, changeDeadlineMs = applyLimits.changeDeadlineMs } = work.options
  const deadlineMs = changeDeadlineMs + (change.resource?.handler.ready?.timeoutMs ?? 0) + uploadMs(step)
  const deadline = new Deadline(deadlineMs, hardStop)
  const { signal } = deadline
  const notes: Diagnostic[] = [...warnings]
  const sourcesRead = new Set<string>()
  const plain = work.connections.call(provider, signal, (note) => notes.push({ address, ...note }))
  const content: Task['call']['content'] = (source) => {
    sourcesRead.add(source.sha256)
    return plain.content(source)
  }
  let hasEffect = false
  const onEffect = () => {
    hasEffect = true
  }
  const call = { ...plain, content }
  let hasPlace = false
  const takePlace = async () => {
    deadline.pause()
    await work.places.take(provider)
    hasPlace = true
    deadline.restart()
    report.start(step)
  }
  let begun: Promise<void> | undefined
  const begin = () => {
    begun ??= takePlace()
    return begun
  }
  const task: Task = { work, address, provider, signal, call, notes, sourcesRead, recording: [], begin, onEffect }
  const end = () => {
    deadline.end()
    if (hasPlace) work.places.leave(provider)
  }
  return { task, deadline, deadlineMs, hasEffect: () => hasEffect, end }
}

/** Returns the time that the sources of a change may take to upload. */
function uploadMs({ type, change }: Step): number {
  if (type !== 'write' || !change.resource) return 0
  const sizes = [...change.resource.declaration.sources.values()].map(({ sizeBytes }) => sizeBytes)
  return sizes.reduce((sum, size) => sum + size, 0) / applyLimits.uploadBytesPerMs
}

function perform(task: Task, { type, change }: Step): Promise<'done' | 'partial' | 'waiting'> {
  if (type === 'write') return write(task, change)
  if (type === 'remove') return remove(task, change)
  if (type === 'record') return recordDrift(task, change)
  const row = task.work.state.rows.get(change.address)
  return row ? removeDeposed(task, row, change) : Promise.resolve('done')
}

/**
 * Reports the outcome once the rows it describes are durable. If a row could not be written, the outcome is partial.
 */
function reportDone(task: Task, step: Step, report: Report, status: 'done' | 'partial' | 'waiting'): void {
  const { work, address, notes } = task
  const id = recordedId(task)
  const end = () => report.end(step, status, notes, id)
  const endUnrecorded = (failures: readonly Diagnostic[]) =>
    report.end(step, 'partial', [...failures.map((found) => ({ ...found, address })), ...notes], id)
  if (task.recording.length === 0) end()
  else work.ending.push(endRecorded(task, end, endUnrecorded))
}

function reportFailure(
  { task, deadline, deadlineMs, hasEffect }: OpenTask,
  step: Step,
  report: Report,
  error: unknown,
): 'failed' | 'waiting' | 'interrupted' {
  const { work, address, notes } = task
  if (error instanceof NotYet) {
    report.end(step, 'waiting', [...notes, notYet(address, error)])
    return 'waiting'
  }
  if (error instanceof NotBegun) {
    report.end(step, 'interrupted', notes)
    return 'interrupted'
  }
  if (work.options.hardStop?.aborted) {
    report.end(step, 'interrupted', notes)
    return 'failed'
  }
  const mask = (text: string) => work.options.project.variables.mask(text)
  const explained = deadline.isOverdue ? [deadlineProblem(address, deadlineMs)] : explainFailure(error, address, mask)
  if (hasEffect()) report.end(step, 'partial', [...explained, ...notes], recordedId(task))
  else report.end(step, 'failed', [...notes, ...explained])
  if (step.type === 'write' && step.change.row?.id === undefined) work.values.forget(address)
  return 'failed'
}

const recordedId = ({ work, address }: Task): string | undefined => work.state.rows.get(address)?.id ?? undefined

/**
 * Reports a change whose object exists: as done once its row is durable, or as partial if the write of the row failed.
 */
async function endRecorded(
  { recording }: Task,
  end: () => void,
  endUnrecorded: (failures: readonly Diagnostic[]) => void,
): Promise<void> {
  const failures = await failuresOf(recording)
  if (failures.length === 0) end()
  else endUnrecorded(failures)
}

/** A failed flush fails every write that shared it. */
export async function failuresOf(writes: readonly Promise<void>[]): Promise<readonly Diagnostic[]> {
  for (const ended of await Promise.allSettled(writes)) {
    if (ended.status === 'fulfilled') continue
    if (ended.reason instanceof Problem) return ended.reason.diagnostics
    throw ended.reason
  }
  return []
}

function notYet(address: string, { message }: NotYet): Diagnostic {
  return diagnostic('apply.not-yet', { detail: message, address })
}

function deadlineProblem(address: string, deadlineMs: number): Diagnostic {
  return diagnostic('apply.deadline', {
    detail: `${address} was aborted after ${Math.round(deadlineMs / 1000)} seconds.`,
    address,
  })
}
