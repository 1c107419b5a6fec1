// The engine's front door: what a command line or an embedding program calls.
import { basename } from 'node:path'
import { carryOut } from './apply/apply.js'
import type { Project } from './declaration/declaration.js'
import type { ApplyOptions, ApplyResult, EngineOptions, PlanOptions, Ports } from './options.js'
import type { Plan } from './plan/plan.js'
import { makePlan } from './plan/planner.js'
import { createHasher } from './state/hashes.js'
import { openForWriting, openState, type State, type StateWriter, takeUp, type WriteOptions } from './state/store.js'

/** State as it is now, an interrupted run's journal folded in; writes nothing. */
export function readState({ project, ports }: EngineOptions, initial?: PlanOptions['initial']): Promise<State> {
  return openState({ ...stateOptions(project, ports), ...(initial ? { initial } : {}) })
}

/** State under the lock; the caller closes it. */
export function lockState(
  options: EngineOptions,
  command: string,
  initial?: PlanOptions['initial'],
): Promise<StateWriter> {
  return openForWriting({ ...writeOptions(options, command), ...(initial ? { initial } : {}) })
}

/**
 * For a plan without changes: everything an interrupted run had to do is done, and yet only its journal may say so.
 * Applying any other plan does this by itself.
 */
export function takeUpState(options: EngineOptions, command: string): Promise<void> {
  return takeUp(writeOptions(options, command))
}

/** Throws `Problem` with everything that stops the plan. Writes nothing. */
export async function planProject(options: PlanOptions): Promise<Plan> {
  const state = await readState(options, options.initial)
  options.signal?.throwIfAborted()
  const prior = { ...pick(state), fingerprints: Object.fromEntries(state.providers) }
  const plan = await makePlan(prior, createHasher({ salt: state.salt, derive: options.derive }), options)
  options.signal?.throwIfAborted() // A plan that was cut short must not pass for one that found nothing.
  return { ...plan, diagnostics: [...state.notes, ...plan.diagnostics] }
}

/** Refuses a plan whose rows changed since. Throws `Problem` only before anything was done. */
export async function applyPlan(plan: Plan, options: ApplyOptions): Promise<ApplyResult> {
  const { lineage, salt } = plan
  const state = await lockState(options, options.command ?? 'agents apply', { lineage, salt })
  try {
    return await carryOut(plan, state, options)
  } finally {
    await state.close()
  }
}

function writeOptions({ project, ports }: EngineOptions, command: string): WriteOptions {
  const { host, clock } = ports
  return { ...stateOptions(project, ports), host, clock, command }
}

function stateOptions({ folder }: Project, { disk, random }: Ports) {
  return { disk, random, folder, projectName: basename(folder) }
}

function pick({ project, lineage, serial, salt, rows }: State) {
  return { project, lineage, serial, salt, rows }
}
