// Port of leases, which queue the writers of a document. They only improve throughput: correctness comes from the `expect`
// of a commit.

export interface Leases {
  /**
   * Runs `work` while holding the lease; callers are served in order. Rejects with the signal's reason if it is
   * aborted while waiting.
   */
  hold<T>(name: string, work: (lease: Lease) => Promise<T>, signal?: AbortSignal): Promise<T>
  probe(): Promise<void>
  close(): Promise<void>
}

export interface Lease {
  /** Signal that is aborted when the lease was lost; another process may then continue. */
  readonly signal: AbortSignal
}
