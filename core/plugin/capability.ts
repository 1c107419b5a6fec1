// Support of a kind by a provider, as stated by its handlers and its list of missing kinds.

/** Degree of support of a kind, shown by `agents providers` and in the reference of agents.yaml. */
export interface Support {
  /**
   * Level of support. `native`, the default. `emulated`: the provider has no such object, and only the state file
   * stores it. `reference`: existing objects can be named by id, but not created.
   */
  readonly level?: 'native' | 'emulated' | 'reference'
  /** API that supports the kind, if one handler serves all APIs. */
  readonly api?: string
  /** Missing parts of the kind, as a sentence. */
  readonly reason?: string
  /** Alternative that users are advised to use. */
  readonly instead?: string
}

/** A kind that the provider does not have. */
export interface MissingKind {
  readonly kind: string
  readonly reason: string
  /** Alternative that users are advised to use. */
  readonly instead?: string
}

/** Support of a kind by a provider, or by one of its APIs; derived from its handlers and from `missing`. */
export interface Capability extends Pick<Support, 'api' | 'reason' | 'instead'> {
  readonly kind: string
  readonly support: NonNullable<Support['level']> | 'unsupported'
}
