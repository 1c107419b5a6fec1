// The functions of the engine, for the command line and for embedding programs.
import { carryOut } from './apply/apply.js'
import type { ApplyOptions, ApplyResult } from './apply/options.js'
import { Problem } from './diagnostic.js'
import type { EngineOptions, PlanOptions } from './plan/options.js'
import type { Plan } from './plan/plan.js'
import { makePlan } from './plan/planner.js'
import { usesChanged } from './plan/session-uses.js'
import { createHasher } from './state/hashes.js'
import { lockState, readState, writeOptions } from './state/project-state.js'
import { foldInterrupted, type State } from './state/store.js'

/**
 * Completes a plan without changes: removes the journal of an interrupted run whose work is done, and records what only
 * sessions use. An apply of any other plan includes this.
 */
export async function settleUnchanged(plan: Plan, options: EngineOptions, command: string): Promise<void> {
  if (plan.mode === 'apply' && plan.changes.some(usesChanged)) await applyPlan(plan, { ...options, command })
  else await foldInterrupted(writeOptions(options, command))
}

/** Throws `Problem` with everything that stops the plan. Writes nothing. */
export async function planProject(options: PlanOptions): Promise<Plan> {
  const state = await readState(options, options.initial ? { initial: options.initial } : {})
  options.signal?.throwIfAborted()
  const prior = { ...pick(state), fingerprints: Object.fromEntries(state.providers) }
  const plan = await makePlan(prior, createHasher({ salt: state.salt, derive: options.derive }), options)
  options.signal?.throwIfAborted() // A plan that was aborted must not pass for one that found nothing.
  return { ...plan, diagnostics: [...state.notes, ...plan.diagnostics] }
}

/** Applies a plan, unless its rows have changed since. Throws `Problem` only before anything was changed. */
export async function applyPlan(plan: Plan, options: ApplyOptions): Promise<ApplyResult> {
  const { lineage, salt } = plan
  const state = await lockState(options, options.command ?? 'agents apply', { initial: { lineage, salt } })
  const result = await carryOut(plan, state, options).catch(async (error: unknown) => {
    await Promise.allSettled([state.close()]) // The first failure is the one to report.
    throw error
  })
  try {
    await state.close()
    return result
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ...result, unrecorded: result.unrecorded.length > 0 ? result.unrecorded : error.diagnostics }
  }
}

function pick({ project, formerly, lineage, serial, salt, rows }: State) {
  return { project, ...(formerly === undefined ? {} : { formerly }), lineage, serial, salt, rows }
}
