// Cleanup that a server does after a restart: pending deletions are completed, and orphaned blobs removed.
import type { Test } from 'tap'
import type { Clock } from '../../../core/ports/clock.js'
import { Housekeeping } from '../../../server/expiry/housekeeping.js'
import { Orphans } from '../../../server/expiry/orphans.js'
import type { Storage } from '../../../server/storage/open-storage.js'

export async function tidy(t: Test, storage: Storage, clock: Clock): Promise<void> {
  const housekeeping = new Housekeeping({ storage, clock, onFailure: (error) => t.fail(String(error)) })
  await housekeeping.start()
  await housekeeping.stop()
  const orphans = new Orphans(storage)
  await orphans.collect()
  for await (const { key } of storage.tables.sweeps.range([])) t.fail(`the sweep of ${key[0]} did not end`)
}
