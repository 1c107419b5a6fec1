// Options of the engine, and options of planning.
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
  /** Maximum number of changes, or of reads, in flight per provider. Default 10. */
  readonly parallelism?: number
  readonly trace?: (line: string) => void
  /** Called with a line for people about long waits, at most once every few seconds per provider. */
  readonly onWait?: (line: string) => void
  /**
   * Derives keys for the hashes of secrets. Default: scrypt, which is slow on purpose; tests pass a faster function.
   */
  readonly derive?: HasherOptions['derive']
  /** Aborts planning. */
  readonly signal?: AbortSignal
}

export interface PlanOptions extends EngineOptions {
  readonly mode: Plan['mode']
  readonly scope: ScopeRequest
  /** Providers whose objects may all be created again, although all are gone or belong to another account. */
  readonly recreate?: readonly string[]
  /** Called with the number of recorded objects that have been compared so far. */
  readonly onRefresh?: (progress: RefreshProgress) => void
  /** Lineage and salt of a saved plan that was made before any state existed. */
  readonly initial?: { readonly lineage: string; readonly salt: string }
}

export interface RefreshProgress {
  readonly done: number
  readonly total: number
}
