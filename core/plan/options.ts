// Options of the engine as a whole, and those of planning.
import type { Project } from '../plugin/declaration.js'
import type { Registry } from '../plugin/registry.js'
import type { Ports } from '../ports/ports.js'
import type { HasherOptions } from '../state/hashes.js'
import type { Plan, ScopeRequest } from './plan.js'

export const parallelismDefault = 10

export interface EngineOptions {
  readonly project: Project
  readonly registry: Registry
  readonly ports: Ports
  /** Root address of a local emulator, from `STEWARD_EMULATOR`. */
  readonly emulatorUrl?: string
  /** Changes, or reads, at once per provider. Default 10. */
  readonly parallelism?: number
  readonly trace?: (line: string) => void
  /** Reports what a run waits for, as text for people: at most one line every few seconds per provider. */
  readonly onWait?: (line: string) => void
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
  /** How many of the recorded objects have been compared with what the provider holds. */
  readonly onRefresh?: (progress: RefreshProgress) => void
  /** Lineage and salt of a saved plan that was made before there was a state. */
  readonly initial?: { readonly lineage: string; readonly salt: string }
}

export interface RefreshProgress {
  readonly done: number
  readonly total: number
}
