// Lease under which blobs are removed; a backup takes it to prevent removals while it copies.
import type { Leases } from './leases.js'

const name = 'removals'

export function whileRemoving<Result>(leases: Leases, work: () => Promise<Result>): Promise<Result> {
  return leases.hold(name, work)
}

/** Until the work is done nobody removes a blob that some row named when it began. */
export function withoutRemovals<Result>(leases: Leases, work: () => Promise<Result>): Promise<Result> {
  return leases.hold(name, work)
}

/** Writers of a document take turns: see `Leases`. */
export const documentLease = (document: string): string => `document:${document}`
