// An answer about trust, with its reason.

export interface Answer {
  readonly verdict: 'trusted' | 'untrusted' | 'unknown'
  /** A sentence without a full stop; null if there is nothing to say. */
  readonly reason: string | null
}
