// The engine's front door: what a command line or an embedding program calls.
import type { Project } from './declaration/declaration.js'
import type { Registry } from './plugin/registry.js'
import type { Clock } from './ports/clock.js'
import type { Disk } from './ports/disk.js'
import type { Http } from './ports/http.js'
import type { Random } from './ports/random.js'
import type { Outcome, Plan, Progress, ScopeRequest } from './plan/plan.js'

export interface Ports {
  readonly disk: Disk
  readonly clock: Clock
  readonly random: Random
  readonly http: Http
}

export interface EngineOptions {
  readonly project: Project
  readonly registry: Registry
  readonly ports: Ports
  /** Root address of a local emulator, from `STEWARD_EMULATOR`. */
  readonly emulatorUrl?: string
  /** Requests at once per provider. Default 10. */
  readonly parallelism?: number
  readonly trace?: (line: string) => void
  /** Gives up when aborted. */
  readonly signal?: AbortSignal
}

export interface PlanOptions extends EngineOptions {
  readonly mode: Plan['mode']
  readonly scope: ScopeRequest
  /** Providers whose objects may all be created again although every row is gone. */
  readonly recreate?: readonly string[]
}

export interface ApplyOptions extends EngineOptions {
  readonly onProgress?: (progress: Progress) => void
  /** Aborts after the first Ctrl-C: nothing new starts, what is in flight is finished and recorded. */
  readonly gentleStop?: AbortSignal
  /** Aborts after the second: calls are dropped; the journal covers them. */
  readonly hardStop?: AbortSignal
  /** `destroy --cascade`: end what is not ours and blocks a removal. */
  readonly cascade?: boolean
}

export interface ApplyResult {
  readonly outcomes: readonly Outcome[]
  readonly wasInterrupted: boolean
}
