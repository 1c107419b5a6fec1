// Result of a check of trust: a verdict and its reason.

export interface TrustResult {
  readonly verdict: 'trusted' | 'untrusted' | 'unknown'
  /** Reason, a sentence without a full stop; null if the verdict needs none. */
  readonly reason: string | null
}
