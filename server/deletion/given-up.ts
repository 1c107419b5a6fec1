// Releases ids of documents whose tenant was deleted: the tenant's own id is free at once, those of its documents one
// by one during the sweep. A request for such an id waits for the sweep, which seldom takes longer than a moment.
import type { Clock } from '../../core/ports/clock.js'
import { limits } from '../limits.js'
import { Refusal } from '../refusals/refusal.js'
import type { Tables } from '../storage/tables.js'

export interface ReleaseContext {
  readonly tables: Tables
  readonly clock: Clock
}

/**
 * Waits until the id is free. Throws `RuntimeUnavailable` if the sweep takes too long. Does not wait for an id that an
 * existing tenant uses.
 */
export async function untilReleased({ tables, clock }: ReleaseContext, id: string): Promise<void> {
  const tenant = await deletedOwner(tables, id)
  if (tenant === undefined) return
  // The sweep may run in another process, so the rows are looked at again and again.
  for (let waitedMs = 0; waitedMs < limits.sweepWaitMs; waitedMs += limits.sweepWaitStepMs) {
    if ((await deletedOwner(tables, id)) === undefined) return
    await clock.sleep(limits.sweepWaitStepMs)
  }
  throw new Refusal('RuntimeUnavailable', 'A document of this id is being deleted', { retryAfterSeconds: 1 })
}

/** Returns the internal id of the deleted tenant that still owns the id. */
async function deletedOwner(tables: Tables, id: string): Promise<string | undefined> {
  const pointer = await tables.documentIds.get([id])
  const tenant = pointer && (await tables.tenants.get([pointer.tenant]))
  return tenant?.status === 'deleting' ? pointer?.tenant : undefined
}
