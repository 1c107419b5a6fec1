// Public ids may come back after a deletion, but not within the same second: tokens say when they were issued, and version
// pins when a document began, in whole seconds, and what was meant for the old one must never open the new one. Ids share a
// fixed number of rows, so that deletions leave nothing that grows.
import type { Clock } from '../../core/ports/clock.js'
import type { Tables } from '../storage/tables.js'
import type { Transaction } from '../storage/transaction.js'

const second = 1000
/** Timers may ring a little early. */
const marginMs = 5
const shards = 1024
/** A tenant gives up the ids of all its documents at once. */
const ofTenants = 0

export async function retireDocumentId(tables: Tables, transaction: Transaction, id: string, nowMs: number) {
  await retire(tables, transaction, shardOf(id), nowMs)
}

export async function retireTenantIds(tables: Tables, transaction: Transaction, nowMs: number) {
  await retire(tables, transaction, ofTenants, nowMs)
}

/** Waits, for less than a second, while the id may be one that was given up in this one. */
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
  // Deletions in the same second need not contend for the row.
  if (!row || secondOf(row.at) < secondOf(nowMs)) transaction.put(slot, { at: nowMs })
}

const secondOf = (ms: number): number => Math.floor(ms / second)

function shardOf(id: string): number {
  let hash = 0
  for (let index = 0; index < id.length; index++) hash = (hash * 31 + id.charCodeAt(index)) % (shards - 1)
  return 1 + hash
}
