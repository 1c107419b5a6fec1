// What the conformance suite is given: a provider, a project that uses all of it, and the service behind it.
import type { Kind } from '../plugin/kind.js'
import type { Provider } from '../plugin/provider.js'

export interface Subject {
  /** Under its own name: the texts need no `plugin`. */
  readonly provider: Provider
  /** Further providers that the texts declare. */
  readonly others?: readonly Provider[]
  /** The kinds that the texts use, see `steward/kinds`. */
  readonly kinds: readonly Kind[]
  /** Every kind the provider has, referring to each other, on this provider alone. At least three resources. */
  readonly project: Version
  /**
   * The project after a change, by what changed, in a few words that complete "after …". Give at least one in which
   * resources only change in place, one that renames a resource, and one that changes what cannot be changed in place.
   */
  readonly edits: Readonly<Record<string, Version>>
  /** Values of variables. Taken for secrets: none of them may turn up in any file or message. */
  readonly variables?: Readonly<Record<string, string>>
  /** An empty service of its own for each call. */
  startService(): Promise<Service>
  /** A sample instead of every write: how many for each way to end, chosen by the seed. */
  readonly sample?: { readonly size: number; readonly seed: number }
}

export interface Version {
  /** The text of agents.yaml. */
  readonly text: string
  /** Local files that it names, by path relative to it. */
  readonly files?: Readonly<Record<string, string>>
  /** Values of variables that are others than the subject's: rotated secrets. */
  readonly variables?: Readonly<Record<string, string>>
}

/** A running service, as the suite looks at it. */
export interface Service {
  /** Value of `ConnectEnvironment.emulatorUrl`, if the provider supports it. */
  readonly emulatorUrl?: string
  /** Variables whose values only the running service knows, such as its address. No secrets. */
  readonly variables?: Readonly<Record<string, string>>
  /** Everything in the account, inner objects left out. */
  objects(): Promise<readonly RemoteObject[]>
  close(): Promise<void>
}

/** The answer of an emulator's `/_emulator/objects` is made of these. */
export interface RemoteObject {
  /** Where a service stands in for several. */
  readonly provider?: string
  readonly kind: string
  readonly id: string
  readonly name?: string
  /** It cannot be used any more, and takes part in nothing. */
  readonly archived?: boolean
  /** The provider offers no way to remove it. */
  readonly permanent?: boolean
  /** It was there before. */
  readonly seeded?: boolean
}

/** `t` of tap, or `{ test }` of node:test. Answers a promise when the test runs on its own. */
export interface Runner {
  test(title: string, run: () => Promise<void>): unknown
}
