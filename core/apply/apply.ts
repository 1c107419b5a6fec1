// Applies a plan: journals every effect before and after it, and reports how each change ended.
import { walk } from '../graph/walk.js'
import { accountOf, formatAccount } from '../plan/account.js'
import { Connections } from '../plan/connections.js'
import { ownNamesOf, rowsDigest } from '../plan/facts.js'
import { parallelismDefault } from '../plan/options.js'
import { KnownOutputs } from '../plan/outputs.js'
import type { Plan } from '../plan/plan.js'
import { usesChanged } from '../plan/session-uses.js'
import { problem } from '../problems/index.js'
import { moveRow } from '../state/edit.js'
import { createHasher } from '../state/hashes.js'
import type { StateWriter } from '../state/store.js'
import type { ApplyOptions, ApplyResult } from './options.js'
import { Places } from './places.js'
import { preflight } from './preflight.js'
import { readClocks } from './read-clocks.js'
import { Report } from './report.js'
import { failuresOf, runStep } from './run-step.js'
import { isRemoval, stepsOf } from './steps.js'
import { Stopping } from './stopping.js'
import { applyLimits, type Work } from './work.js'

/** Carries out a plan. `state` is open for writing; the caller closes it. */
export async function carryOut(plan: Plan, state: StateWriter, options: ApplyOptions): Promise<ApplyResult> {
  const stopping = new Stopping(options)
  try {
    return await carryOutUntil(plan, state, { ...options, hardStop: stopping.signal })
  } finally {
    stopping.end()
  }
}

async function carryOutUntil(plan: Plan, state: StateWriter, options: ApplyOptions): Promise<ApplyResult> {
  refuseStalePlan(plan, state)
  // No remote object depends on the address of its row, so all renames are recorded before the first effect.
  for (const { address, movedFrom } of plan.changes)
    if (movedFrom !== undefined) await moveRow(state, movedFrom, address)
  for (const { address, action, ...change } of plan.changes) {
    const row = state.rows.get(address)
    const uses = change.resource?.sessionUses
    if (plan.mode === 'apply' && action === 'none' && row && uses && usesChanged(change))
      await state.put(address, { ...row, sessionUses: [...uses] })
  }
  const connections = new Connections(options, plan.clockOffsets)
  const parallelism = options.parallelism ?? parallelismDefault
  const values = new KnownOutputs(options.project.variables, state.rows)
  for (const { address, row } of plan.changes) if (row?.id) values.set(address, { ...row.outputs, id: row.id })
  const work: Work = {
    options,
    projectName: state.project,
    ownNames: ownNamesOf(state),
    state,
    connections,
    values,
    places: new Places(parallelism, stopOf(options)),
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
  const warnings = plan.mode === 'refresh' ? undefined : await preflight(work, plan.changes.filter(isRemoval))
  const steps = stepsOf(plan)
  const report = new Report(options)
  const walked = walk(steps, {
    limit: () => parallelism + Math.floor(parallelism * applyLimits.preparedFraction),
    ...(options.gentleStop ? { signal: options.gentleStop } : {}),
    run: (id) => {
      const step = steps.get(id)
      return step ? runStep(work, step, report, warnings) : Promise.resolve('failed')
    },
    onSkipped: (id, end, because) => report.skip(steps.get(id), end, steps.get(because ?? '')),
  })
  await walked.finally(() => Promise.allSettled(work.ending))
  await Promise.all(work.ending)
  const unrecorded = await failuresOf(work.finishing)
  return { outcomes: report.outcomes(), wasInterrupted: options.gentleStop?.aborted ?? false, unrecorded }
}

/** Returns the signal after which no change begins. */
const stopOf = ({ gentleStop, hardStop }: ApplyOptions): AbortSignal =>
  AbortSignal.any([gentleStop, hardStop].flatMap((signal) => signal ?? []))

/** Binds the objects that planning found for interrupted creates, so that no other create claims them. */
async function bindRecovered(plan: Plan, state: StateWriter): Promise<void> {
  for (const { address, row } of plan.changes)
    if (row?.id && state.rows.get(address)?.id === null) await state.put(address, row)
}

function refuseStalePlan(plan: Plan, state: StateWriter): void {
  const isSame = plan.lineage === state.lineage && plan.rowsDigest === rowsDigest(state.rows)
  if (isSame) return
  throw problem('apply.state-moved', {
    detail: 'Another run changed the state in between, so the plan may no longer be right. Nothing was changed.',
  })
}
