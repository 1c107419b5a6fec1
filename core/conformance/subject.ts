// Input of the conformance suite: a provider, a project that uses all of its features, and its service.
import type { Kind } from '../plugin/kind.js'
import type { Provider } from '../plugin/provider.js'

export interface Subject {
  /** Provider that is tested, under its own name: the texts need no `plugin`. */
  readonly provider: Provider
  /** Further providers that the texts declare. */
  readonly others?: readonly Provider[]
  /** Providers that the tested ones are like, where the texts declare them with `like`. Default: the tested ones. */
  readonly builtins?: readonly Provider[]
  /** Kinds that the texts use, see `steward/kinds`. */
  readonly kinds: readonly Kind[]
  /**
   * Project with every kind that the provider has, on this provider alone, with references between them. It needs at
   * least three resources.
   */
  readonly project: Version
  /**
   * The project after a change, by a description of the change in a few words that complete "after …". Give at least
   * one in which resources only change in place, one that renames a resource, and one that changes what cannot be
   * changed in place.
   */
  readonly edits: Readonly<Record<string, Version>>
  /** Values of variables. All of them count as secrets: none may occur in any file or message. */
  readonly variables?: Readonly<Record<string, string>>
  /** Starts an empty service; called once for each run. */
  startService(): Promise<Service>
  /** Number of writes to interrupt for each way to end, chosen by the seed. Absent: every write. */
  readonly sample?: { readonly size: number; readonly seed: number }
}

export interface Version {
  /** Text of agents.yaml. */
  readonly text: string
  /** Local files that the text names, by path relative to it. */
  readonly files?: Readonly<Record<string, string>>
  /** Values of variables that differ from those of the subject: rotated secrets. */
  readonly variables?: Readonly<Record<string, string>>
}

/** A running service, as the suite sees it. */
export interface Service {
  /** Value of `ConnectEnvironment.emulatorUrl`, if the provider supports it. */
  readonly emulatorUrl?: string
  /** Variables whose values only the running service knows, such as its address. They are no secrets. */
  readonly variables?: Readonly<Record<string, string>>
  /** Returns every object in the account, except inner objects. */
  objects(): Promise<readonly RemoteObject[]>
  /**
   * Refuses the next request as the service does when it is overloaded, with its own body. Needed to judge `classify`.
   */
  overload?(): void
  /** Ends every authorization that requests obtained. Needed if the provider signs in. */
  expireTokens?(): void
  close(): Promise<void>
}

/** One object in the answer of an emulator's `/_emulator/objects`. */
export interface RemoteObject {
  /** Name of the provider, where one service stands in for several. */
  readonly provider?: string
  readonly kind: string
  readonly id: string
  readonly name?: string
  /** True if the object can no longer be used. */
  readonly archived?: boolean
  /** True if the provider offers no way to remove the object. */
  readonly permanent?: boolean
  /** True if the object existed before the suite began. */
  readonly seeded?: boolean
}

/** Test runner: `t` of tap, or `{ test }` of node:test. `test` returns a promise when it runs on its own. */
export interface Runner {
  test(title: string, run: () => Promise<void>): unknown
}
