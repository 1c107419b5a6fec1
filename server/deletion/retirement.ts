// Delays the reuse of a public id until the second of its deletion has passed: tokens and version pins have a
// resolution of one second, and those of the deleted resource must never be valid for its successor. Ids share a
// fixed number of rows, so that deletions leave nothing that grows.
import type { Clock } from '../../core/ports/clock.js'
import type { Tables } from '../storage/tables.js'
import type { Transaction } from '../storage/transaction.js'

const second = 1000
/** Tolerance, because timers may fire slightly early. */
const marginMs = 5
const shards = 1024
/** Shard of all tenants: deleting a tenant releases the ids of all its documents at once. */
const ofTenants = 0

export async function retireDocumentId(tables: Tables, transaction: Transaction, id: string, nowMs: number) {
  await retire(tables, transaction, shardOf(id), nowMs)
}

export async function retireTenantIds(tables: Tables, transaction: Transaction, nowMs: number) {
  await retire(tables, transaction, ofTenants, nowMs)
}

/** Waits, less than a second, if the id may have been released within the current second. */
export async function untilReusable(tables: Tables, transaction: Transaction, id: string, clock: Clock): Promise<void> {
  for (const shard of [ofTenants, shardOf(id)]) {
    const row = await transaction.read(tables.retirements.at([shard]))
    const now = clock.now()
    if (row && secondOf(row.at) === secondOf(now)) await clock.sleep(second - (now % second) + marginMs)
  }
}

async function retire(tables: Tables, transaction: Transaction, shard: number, nowMs: number): Promise<void> {
  const slot = tables.retirements.at([shard])
  const row = await transaction.read(slot)
  // Deletions in the same second need not write the row again.
  if (!row || secondOf(row.at) < secondOf(nowMs)) transaction.put(slot, { at: nowMs })
}

const secondOf = (ms: number): number => Math.floor(ms / second)

function shardOf(id: string): number {
  let hash = 0
  for (let index = 0; index < id.length; index++) hash = (hash * 31 + id.charCodeAt(index)) % (shards - 1)
  return 1 + hash
}
