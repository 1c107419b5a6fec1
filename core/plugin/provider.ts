// The contract of a provider: one typed object.
import type { TSchema } from 'typebox'
import type { ProblemTable } from '../diagnostic.js'
import type { Clock } from '../ports/clock.js'
import type { Http, HttpProgress, HttpStream } from '../ports/http.js'
import type { Random } from '../ports/random.js'
import type { JsonObject } from '../value/tree.js'
import type { DeploymentActions, MemoryActions } from './actions.js'
import type { MissingKind } from './capability.js'
import type { Declaration, Finding, Project } from './declaration.js'
import type { Classify } from './failure.js'
import type { Handler } from './handler.js'
import type { Words } from './kind.js'
import type { ProviderRule } from './rule.js'
import type { Sessions } from './sessions.js'

export interface Provider<Client = unknown> {
  /** Canonical name, the key under `providers`. */
  readonly name: string
  /** Other names the file may use for it. */
  readonly aliases: readonly string[]
  /** Title for people: `Qoder (P-B)`. */
  readonly title: string
  /** Schema of `providers.<name>`. */
  readonly configuration: TSchema
  /** Synonyms of values in agents.yaml: alias to canonical value, by field (`channel.type`). */
  readonly words?: Words
  /**
   * Returns the account that calls will reach, without secrets. It is shown before consent, together with the
   * fingerprint that ties state to it.
   */
  identify(configuration: JsonObject): Identity
  connect(configuration: JsonObject, environment: ConnectEnvironment): Client
  readonly classify: Classify
  /** Kinds without a handler, for which the documentation and messages name a reason. */
  readonly missing?: readonly MissingKind[]
  readonly handlers: readonly Handler<Client>[]
  readonly rules: readonly ProviderRule[]
  /**
   * Problems that the provider's own code reports, besides those of its rules; for `fromTable` and the documentation.
   */
  readonly problems?: ProblemTable
  /** Returns the API of each resource, and conflicts between them. Pure. Absent: the provider has only one API. */
  place?(resources: readonly Placeable[], project: Project): Placement
  readonly sessions?: Sessions<Client>
  readonly deployments?: DeploymentActions<Client>
  readonly memories?: MemoryActions<Client>
}

export interface Identity {
  /** Base address, `https://api.example.com/v1`. */
  readonly host: string
  readonly workspace?: string
  readonly account?: string
}

export interface ConnectEnvironment {
  readonly http: Http
  /** Port for event streams; absent if only reconciliation is needed. */
  readonly httpStream?: HttpStream
  readonly clock: Clock
  readonly random: Random
  /**
   * Reads a text file whose path is relative to agents.yaml: a credential that another program renews. Rejects as `fs`
   * does. An emulator needs none: there a missing file reads `emulator`.
   */
  readText?(path: string): Promise<string>
  /**
   * Root address of a local emulator, to which the provider appends its own path. Absent: calls go to the real service.
   */
  readonly emulatorUrl?: string
  /** Called with one masked line per request, for `--verbose`. */
  readonly trace?: (line: string) => void
  /** Aborts when no request may be repeated any more. Requests in flight are still awaited. */
  readonly stopping?: AbortSignal
  /** Called before a request is repeated. */
  readonly onWait?: (wait: RequestWait) => void
  /** Called every few seconds while a request has no answer. */
  readonly onSilence?: (silence: RequestSilence) => void
}

/** A request that has been sent and not been answered yet. */
export interface RequestSilence {
  /** Method and path, `POST /agents`. */
  readonly operation: string
  /** Time without any byte of it; 0 while its body, or that of the answer, is transferred. */
  readonly silentMs: number
  /** How far an upload or a download has come. */
  readonly progress?: HttpProgress
}

/** A failed request that will be sent again later. */
export interface RequestWait {
  /** Method and path, `POST /agents`. */
  readonly operation: string
  /** Provider's message, or that no answer arrived. It may contain secrets. */
  readonly reason: string
  /** Number of failed attempts so far. */
  readonly attempts: number
  readonly waitMs: number
}

/** A declaration, or the row of a removed one, that needs an API. */
export interface Placeable {
  readonly address: string
  readonly declaration: Declaration
  /** API recorded in the row, if any. */
  readonly rowApi?: string
}

export interface Placement {
  /** API by address. */
  readonly apis: ReadonlyMap<string, string>
  readonly findings: readonly { readonly declaration: Declaration; readonly code: string; readonly finding: Finding }[]
}

/**
 * Allows providers with different clients in one list; each receives only the client that its own `connect` created.
 */
export function provider<Client>(typed: Provider<Client>): Provider {
  return typed as unknown as Provider
}
