// The contract of a provider: one typed object.
import type { TSchema } from 'typebox'
import type { ProblemTable } from '../diagnostic.js'
import type { Clock } from '../ports/clock.js'
import type { Http, HttpStream } from '../ports/http.js'
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
  /** Words of agents.yaml with a canonical spelling here: alias to canonical, by field (`channel.type`). */
  readonly words?: Words
  /** Whom calls will reach; shown before consent, and the fingerprint that ties state to an account. No secrets. */
  identify(configuration: JsonObject): Identity
  connect(configuration: JsonObject, environment: ConnectEnvironment): Client
  readonly classify: Classify
  /** Kinds without a handler of which there is something to say. */
  readonly missing?: readonly MissingKind[]
  readonly handlers: readonly Handler<Client>[]
  readonly rules: readonly ProviderRule[]
  /** Problems that the provider's own code raises besides its rules, for `fromTable` and for the documentation. */
  readonly problems?: ProblemTable
  /** Pure: which API each resource belongs to, and what cannot be shared. Absent: the only one. */
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
  /** Port for event streams; absent if only reconciling is done. */
  readonly httpStream?: HttpStream
  readonly clock: Clock
  readonly random: Random
  /** Root address of a local emulator; the provider appends its own path. Absent: the real service. */
  readonly emulatorUrl?: string
  /** Called with one masked line per request, for `--verbose`. */
  readonly trace?: (line: string) => void
  /** Aborts when no request shall be repeated any more. What is in flight still ends by itself. */
  readonly stopping?: AbortSignal
  /** Called before a request is repeated. */
  readonly onWait?: (wait: RequestWait) => void
}

/** A request failed for now and is sent again later. */
export interface RequestWait {
  /** `POST /agents` */
  readonly operation: string
  /** The provider's message, or that no answer came. May contain secrets. */
  readonly reason: string
  /** How often it has failed by now. */
  readonly attempts: number
  readonly waitMs: number
}

/** A declaration or a leftover row that needs an API. */
export interface Placeable {
  readonly address: string
  readonly declaration: Declaration
  /** The API its row says, if it has one. */
  readonly rowApi?: string
}

export interface Placement {
  /** Address to API. */
  readonly apis: ReadonlyMap<string, string>
  readonly findings: readonly { readonly declaration: Declaration; readonly code: string; readonly finding: Finding }[]
}

/** Lets providers with different clients be one list; each is only given the client its own `connect` made. */
export function provider<Client>(typed: Provider<Client>): Provider {
  return typed as unknown as Provider
}
