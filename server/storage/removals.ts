// Lease under which blobs are removed; a backup takes it to prevent removals while it copies. Both need it: a backup
// without it may name blobs that are gone.
import { type Leases, LeaseUnavailable } from './leases.js'

const name = 'removals'

/** Runs `work`, which removes blobs that no row names any more. Throws `LeaseUnavailable`. */
export function whileRemoving<Result>(leases: Leases, work: () => Promise<Result>): Promise<Result> {
  return leases.holdExclusively(name, work)
}

/**
 * Runs `work`, which removes blobs that no row names any more, on behalf of a request that is answered anyway: if the
 * lease is unavailable, the blobs are collected later as orphans.
 */
export async function removeOrLeave(leases: Leases, work: () => Promise<void>): Promise<void> {
  try {
    await whileRemoving(leases, work)
  } catch (error) {
    if (!(error instanceof LeaseUnavailable)) throw error
  }
}

/**
 * Runs `work` while no blob is removed that a row named when it began. Throws `LeaseUnavailable`, possibly after `work`,
 * whose result is then incomplete.
 */
export function withoutRemovals<Result>(leases: Leases, work: () => Promise<Result>): Promise<Result> {
  return leases.holdExclusively(name, async (lease) => {
    const result = await work()
    if (lease.signal.aborted) throw new LeaseUnavailable('Files may have been removed meanwhile; repeat the backup')
    return result
  })
}

/** Returns the name of the lease of a document's writers: see `Leases`. */
export const documentLease = (document: string): string => `document:${document}`
