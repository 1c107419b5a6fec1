// The engine's front door: what a command line or an embedding program calls.
import { basename } from 'node:path'
import { carryOut } from './apply/apply.js'
import type { Project } from './declaration/declaration.js'
import type { Outcome, Plan, Progress, ScopeRequest } from './plan/plan.js'
import { makePlan } from './plan/planner.js'
import type { Registry } from './plugin/registry.js'
import type { Clock } from './ports/clock.js'
import type { Disk } from './ports/disk.js'
import type { Host } from './ports/host.js'
import type { Http, HttpStream } from './ports/http.js'
import type { Random } from './ports/random.js'
import { createHasher, type HasherOptions } from './state/hashes.js'
import { openForWriting, openState, type State, type StateWriter } from './state/store.js'

export interface Ports {
  readonly disk: Disk
  readonly clock: Clock
  readonly random: Random
  readonly http: Http
  readonly httpStream?: HttpStream
  readonly host: Host
}

export interface EngineOptions {
  readonly project: Project
  readonly registry: Registry
  readonly ports: Ports
  /** Root address of a local emulator, from `STEWARD_EMULATOR`. */
  readonly emulatorUrl?: string
  /** Changes, or reads, at once per provider. Default 10. */
  readonly parallelism?: number
  readonly trace?: (line: string) => void
  /** Makes keys for the hashes of secrets. Default scrypt, which is slow on purpose; tests want something else. */
  readonly derive?: HasherOptions['derive']
  /** Planning gives up when aborted. */
  readonly signal?: AbortSignal
}

export interface PlanOptions extends EngineOptions {
  readonly mode: Plan['mode']
  readonly scope: ScopeRequest
  /** Providers whose objects may all be created again although every one is gone, or belongs to another account. */
  readonly recreate?: readonly string[]
  /** Of a saved plan that was made before there was a state. */
  readonly initial?: { readonly lineage: string; readonly salt: string }
}

export interface ApplyOptions extends EngineOptions {
  readonly onProgress?: (progress: Progress) => void
  /** Aborts after the first Ctrl-C: nothing new starts, what is in flight is finished and recorded. */
  readonly gentleStop?: AbortSignal
  /** Aborts after the second: calls are dropped; the journal covers them. */
  readonly hardStop?: AbortSignal
  /** `destroy --cascade`: end what is not ours and blocks a removal. */
  readonly cascade?: boolean
  /** For whoever finds the lock held. Default `agents apply`. */
  readonly command?: string
}

export interface ApplyResult {
  readonly outcomes: readonly Outcome[]
  readonly wasInterrupted: boolean
}

/** State as it is now, an interrupted run's journal folded in; writes nothing. */
export function readState({ project, ports }: EngineOptions, initial?: PlanOptions['initial']): Promise<State> {
  return openState({ ...stateOptions(project, ports), ...(initial ? { initial } : {}) })
}

/** State under the lock; the caller closes it. */
export function lockState(
  { project, ports }: EngineOptions,
  command: string,
  initial?: PlanOptions['initial'],
): Promise<StateWriter> {
  const { host, clock } = ports
  return openForWriting({ ...stateOptions(project, ports), host, clock, command, ...(initial ? { initial } : {}) })
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

function stateOptions({ folder }: Project, { disk, random }: Ports) {
  return { disk, random, folder, projectName: basename(folder) }
}

function pick({ project, lineage, serial, salt, rows }: State) {
  return { project, lineage, serial, salt, rows }
}
