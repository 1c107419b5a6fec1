// Support of a kind by a provider, as stated by its handlers and its list of missing kinds.

/** How far a provider has a kind; shown by `agents providers` and in the reference of agents.yaml. */
export interface Support {
  /**
   * `native`, the default. `emulated`: the provider has no such object, and the state file stands in for it. `reference`:
   * an object that exists can be named by its id, and none can be made.
   */
  readonly level?: 'native' | 'emulated' | 'reference'
  /** API that supports the kind, where one handler serves every API. */
  readonly api?: string
  /** What is missing from full support. */
  readonly reason?: string
  /** What to use instead. */
  readonly instead?: string
}

/** A kind that the provider does not have. */
export interface MissingKind {
  readonly kind: string
  readonly reason: string
  /** What to use instead. */
  readonly instead?: string
}

/** What the provider has of a kind, in one of its APIs where it has several: made of its handlers and `missing`. */
export interface Capability extends Pick<Support, 'api' | 'reason' | 'instead'> {
  readonly kind: string
  readonly support: NonNullable<Support['level']> | 'unsupported'
}
