// Carries out a plan: journals around every effect, goes as far as it can, says how each change ended.

import { type Diagnostic, Problem } from '../diagnostic.js'
import { type WalkResult, walk } from '../graph/walk.js'
import { accountOf, formatAccount } from '../plan/account.js'
import { Connections } from '../plan/connections.js'
import { explainFailure } from '../plan/explain.js'
import { rowsDigest } from '../plan/facts.js'
import { parallelismDefault } from '../plan/options.js'
import { KnownOutputs } from '../plan/outputs.js'
import type { Outcome, OutcomeStatus, Plan } from '../plan/plan.js'
import { usesChanged } from '../plan/session-uses.js'
import { NotYet } from '../plugin/failure.js'
import { diagnostic, problem } from '../problems/index.js'
import { moveRow } from '../state/edit.js'
import { createHasher } from '../state/hashes.js'
import type { StateWriter } from '../state/store.js'
import type { ApplyOptions, ApplyResult } from './options.js'
import { preflight } from './preflight.js'
import { readClocks } from './read-clocks.js'
import { recordDrift } from './record-drift.js'
import { remove, removeDeposed } from './remove.js'
import { isRemoval, type Step, stepsOf } from './steps.js'
import { applyLimits, type Task, type Work } from './work.js'
import { write } from './write.js'

/** `state` is open for writing; the caller closes it. */
export async function carryOut(plan: Plan, state: StateWriter, options: ApplyOptions): Promise<ApplyResult> {
  refuseStalePlan(plan, state)
  // Nothing remote depends on where a row stands, so all renames are recorded before the first effect.
  for (const { address, movedFrom } of plan.changes)
    if (movedFrom !== undefined) await moveRow(state, movedFrom, address)
  for (const { address, action, ...change } of plan.changes) {
    const row = state.rows.get(address)
    const uses = change.resource?.sessionUses
    if (plan.mode === 'apply' && action === 'none' && row && uses && usesChanged(change))
      await state.put(address, { ...row, sessionUses: [...uses] })
  }
  const connections = new Connections(options, plan.clockOffsets)
  const values = new KnownOutputs(options.project.variables, state.rows)
  for (const { address, row } of plan.changes) if (row?.id) values.set(address, { ...row.outputs, id: row.id })
  const work: Work = {
    options,
    projectName: state.project,
    state,
    connections,
    values,
    hasher: createHasher({ salt: state.salt, derive: options.derive }),
    finishing: [],
    ending: [],
    alike: new Map(),
  }
  for (const provider of plan.identities.keys()) {
    const account = formatAccount(await accountOf(connections, provider, work.hasher))
    if (state.providers.get(provider) !== account) await state.setFingerprint(provider, account)
  }

  if (plan.mode !== 'refresh') {
    await bindRecovered(plan, state)
    await readClocks(plan, work)
  }
  const told = plan.mode === 'refresh' ? undefined : await preflight(work, plan.changes.filter(isRemoval))
  const steps = stepsOf(plan)
  const report = new Report(options)
  const walked = walk(steps, {
    limit: () => options.parallelism ?? parallelismDefault,
    ...(options.gentleStop ? { signal: options.gentleStop } : {}),
    run: (id) => runStep(work, steps.get(id), report, told),
    onSkipped: (id, end, because) => report.skip(steps.get(id), end, steps.get(because ?? '')),
  })
  await walked.finally(() => Promise.allSettled(work.ending))
  await Promise.all(work.ending)
  const unrecorded = await failuresOf(work.finishing)
  return { outcomes: report.outcomes(), wasInterrupted: options.gentleStop?.aborted ?? false, unrecorded }
}

/** Reports a change whose object exists: as done once its row is durable, as partial if that failed. */
async function endRecorded(
  { recording }: Task,
  end: () => void,
  endUnrecorded: (failures: readonly Diagnostic[]) => void,
): Promise<void> {
  const failures = await failuresOf(recording)
  if (failures.length === 0) end()
  else endUnrecorded(failures)
}

/** One failed flush fails every write that shared it. */
async function failuresOf(writes: readonly Promise<void>[]): Promise<readonly Diagnostic[]> {
  for (const ended of await Promise.allSettled(writes)) {
    if (ended.status === 'fulfilled') continue
    if (ended.reason instanceof Problem) return ended.reason.diagnostics
    throw ended.reason
  }
  return []
}

/** What planning found of interrupted creates is theirs from now on: nobody else may find it once more. */
async function bindRecovered(plan: Plan, state: StateWriter): Promise<void> {
  for (const { address, row } of plan.changes)
    if (row?.id && state.rows.get(address)?.id === null) await state.put(address, row)
}

async function runStep(
  work: Work,
  step: Step | undefined,
  report: Report,
  told: ReadonlyMap<string, readonly Diagnostic[]> = new Map(),
): Promise<WalkResult> {
  if (!step) return 'failed'
  const { change, type } = step
  const { hardStop } = work.options
  const { changeDeadlineMs = applyLimits.changeDeadlineMs } = work.options
  const deadlineMs = changeDeadlineMs + (change.resource?.handler.ready?.timeoutMs ?? 0)
  const deadline = AbortSignal.timeout(deadlineMs)
  const signal = hardStop ? AbortSignal.any([hardStop, deadline]) : deadline
  const notes: Diagnostic[] = type === 'remove' ? [...(told.get(change.address) ?? [])] : []
  const sourcesRead = new Set<string>()
  const plain = work.connections.call(change.provider, signal, (note) =>
    notes.push({ address: change.address, ...note }),
  )
  const content: Task['call']['content'] = (source) => {
    sourcesRead.add(source.sha256)
    return plain.content(source)
  }
  const call = { ...plain, content }
  let hasEffect = false
  const onEffect = () => {
    hasEffect = true
  }
  const task: Task = {
    work,
    address: change.address,
    provider: change.provider,
    signal,
    call,
    notes,
    sourcesRead,
    recording: [],
    onEffect,
  }
  const idNow = () => work.state.rows.get(change.address)?.id ?? undefined
  report.start(step)
  try {
    const status = await perform(task, step)
    const id = idNow()
    const end = () => report.end(step, status, notes, id)
    const endUnrecorded = (failures: readonly Diagnostic[]) =>
      report.end(step, 'partial', [...failures.map((found) => ({ ...found, address: change.address })), ...notes], id)
    if (task.recording.length === 0) end()
    else work.ending.push(endRecorded(task, end, endUnrecorded))
    return status === 'partial' ? 'done' : status
  } catch (error) {
    await Promise.allSettled(task.recording)
    if (error instanceof NotYet) {
      report.end(step, 'waiting', [...notes, notYet(change.address, error)])
      return 'waiting'
    }
    if (hardStop?.aborted) {
      report.end(step, 'interrupted', notes)
      return 'failed'
    }
    const mask = (text: string) => work.options.project.variables.mask(text)
    const explained = deadline.aborted
      ? [tookTooLong(change.address, deadlineMs)]
      : explainFailure(error, change.address, mask)
    if (hasEffect) report.end(step, 'partial', [...explained, ...notes], idNow())
    else report.end(step, 'failed', [...notes, ...explained])
    if (type === 'write' && change.row?.id === undefined) work.values.forget(change.address)
    return 'failed'
  }
}

function perform(task: Task, { type, change }: Step): Promise<'done' | 'partial' | 'waiting'> {
  if (type === 'write') return write(task, change)
  if (type === 'remove') return remove(task, change)
  if (type === 'record') return recordDrift(task, change)
  const row = task.work.state.rows.get(change.address)
  return row ? removeDeposed(task, row) : Promise.resolve('done')
}

/** Collects one outcome per change from the ends of its steps. */
class Report {
  private readonly byAddress = new Map<string, { outcome: Outcome; startedAtMs: number }>()

  constructor(private readonly options: ApplyOptions) {}

  outcomes(): readonly Outcome[] {
    return [...this.byAddress.values()].map(({ outcome }) => outcome)
  }

  start({ type, change }: Step): void {
    if (type === 'clean') return
    this.options.onProgress?.({ type: 'started', address: change.address, action: change.action })
    this.byAddress.set(change.address, {
      outcome: { address: change.address, action: change.action, status: 'interrupted', diagnostics: [], elapsedMs: 0 },
      startedAtMs: this.options.ports.clock.now(),
    })
  }

  end(step: Step, status: OutcomeStatus, diagnostics: readonly Diagnostic[], id = step.change.id): void {
    const { change } = step
    const nowMs = this.options.ports.clock.now()
    const previous = this.byAddress.get(change.address)
    if (step.type === 'clean' && status === 'done' && diagnostics.length === 0) return
    const outcome: Outcome = {
      address: change.address,
      action: change.action,
      status: step.type === 'clean' ? afterCleaning(previous?.outcome.status, status) : status,
      ...(id ? { id } : {}),
      diagnostics: [...(previous?.outcome.diagnostics ?? []), ...diagnostics],
      elapsedMs: nowMs - (previous?.startedAtMs ?? nowMs),
    }
    this.byAddress.set(change.address, { outcome, startedAtMs: previous?.startedAtMs ?? nowMs })
    this.options.onProgress?.({ type: 'ended', outcome })
  }

  skip(step: Step | undefined, end: 'skipped' | 'waiting' | 'interrupted', because: Step | undefined): void {
    if (!step || step.type === 'clean') return
    const reason = because ? [{ ...waitsFor(end, because.change.address), address: step.change.address }] : []
    this.end(step, end, reason)
  }
}

/** The object stands already: what its predecessor could not be relieved of is the smaller half. */
function afterCleaning(written: OutcomeStatus | undefined, cleaned: OutcomeStatus): OutcomeStatus {
  const isWritten = written === 'done' || written === 'partial'
  if (cleaned === 'failed' && isWritten) return 'partial'
  return cleaned === 'done' ? (written ?? 'done') : cleaned
}

function waitsFor(end: 'skipped' | 'waiting' | 'interrupted', address: string): Diagnostic {
  return end === 'waiting'
    ? diagnostic('apply.waits-for', { detail: `${address} is not ready yet.` })
    : diagnostic('apply.skipped', { detail: `${address}, which must come first, was not finished.` })
}

function notYet(address: string, { message }: NotYet): Diagnostic {
  return diagnostic('apply.not-yet', { detail: message, address })
}

function tookTooLong(address: string, deadlineMs: number): Diagnostic {
  return diagnostic('apply.deadline', {
    detail: `${address} was given up after ${Math.round(deadlineMs / 1000)} seconds.`,
    address,
  })
}

function refuseStalePlan(plan: Plan, state: StateWriter): void {
  const isSame = plan.lineage === state.lineage && plan.rowsDigest === rowsDigest(state.rows)
  if (isSame) return
  throw problem('apply.state-moved', {
    detail: 'Another run changed the state in between, so the plan may no longer be right. Nothing was changed.',
  })
}
