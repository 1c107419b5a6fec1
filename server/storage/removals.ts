// Lease under which blobs are removed; a backup takes it to prevent removals while it copies.
import type { Leases } from './leases.js'

const name = 'removals'

export function whileRemoving<Result>(leases: Leases, work: () => Promise<Result>): Promise<Result> {
  return leases.hold(name, work)
}

/** Runs `work` while no blob is removed that a row named when it began. */
export function withoutRemovals<Result>(leases: Leases, work: () => Promise<Result>): Promise<Result> {
  return leases.hold(name, work)
}

/** Returns the name of the lease of a document's writers: see `Leases`. */
export const documentLease = (document: string): string => `document:${document}`
