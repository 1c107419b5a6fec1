// What a provider has of a kind: stated by its handlers and its list of missing kinds.

/** How far a provider has a kind; shown by `agents providers` and in the reference of agents.yaml. */
export interface Support {
  /** Absent: `native`. */
  readonly level?: 'native' | 'emulated' | 'reference'
  /** The API that has the kind, where the handler is that of every API. */
  readonly api?: string
  /** In which way not quite. */
  readonly reason?: string
  /** The way out. */
  readonly instead?: string
}

/** A kind that the provider does not have. */
export interface MissingKind {
  readonly kind: string
  readonly reason: string
  /** The way out. */
  readonly instead?: string
}

/** What the provider has of a kind, in one of its APIs where it has several: made of its handlers and `missing`. */
export interface Capability extends Pick<Support, 'api' | 'reason' | 'instead'> {
  readonly kind: string
  readonly support: NonNullable<Support['level']> | 'unsupported'
}
