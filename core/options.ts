// What the engine is told and answers with: the ports it works through, and the options of a plan and an apply.
import type { Project } from './declaration/declaration.js'
import type { Diagnostic } from './diagnostic.js'
import type { Outcome, Plan, Progress, ScopeRequest } from './plan/plan.js'
import type { Registry } from './plugin/registry.js'
import type { Clock } from './ports/clock.js'
import type { Disk } from './ports/disk.js'
import type { Host } from './ports/host.js'
import type { Http, HttpStream } from './ports/http.js'
import type { Random } from './ports/random.js'
import type { HasherOptions } from './state/hashes.js'

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
  /** What a run waits for, in words for people: at most one line in some seconds for each provider. */
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
  /** Of a saved plan that was made before there was a state. */
  readonly initial?: { readonly lineage: string; readonly salt: string }
}

export interface RefreshProgress {
  readonly done: number
  readonly total: number
}

export interface ApplyOptions extends EngineOptions {
  readonly onProgress?: (progress: Progress) => void
  /** Aborts after the first Ctrl-C: nothing new starts, what is in flight is finished and recorded. */
  readonly gentleStop?: AbortSignal
  /** Aborts after the second: calls are dropped; the journal covers them. */
  readonly hardStop?: AbortSignal
  /** `destroy --cascade`: end what is not ours and blocks a removal. */
  readonly cascade?: boolean
  /** A change that takes longer is given up; what has to become ready gets its own time on top. Default 10 minutes. */
  readonly changeDeadlineMs?: number
  /** For whoever finds the lock held. Default `agents apply`. */
  readonly command?: string
}

export interface ApplyResult {
  readonly outcomes: readonly Outcome[]
  readonly wasInterrupted: boolean
  /** Why state could not take up all of it (a full disk); the outcomes hold nevertheless. */
  readonly unrecorded: readonly Diagnostic[]
}
