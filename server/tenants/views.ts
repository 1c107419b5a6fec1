// Counts views: each share exchange, and once per month each other token that opens a document.
import type { DocumentContext } from '../operation/operation.js'
import { shardOf } from '../storage/shards.js'
import type { Tables } from '../storage/tables.js'
import { type Transaction, transact } from '../storage/transaction.js'
import { monthAt } from './month.js'

export interface View {
  readonly tenant: string
  readonly jti: string
  readonly nowMs: number
}

/** Counts the exchange of a share. Its session is not counted again, so that visitors leave no rows behind. */
export const countExchange = (tables: Tables, transaction: Transaction, { tenant, jti, nowMs }: View): Promise<void> =>
  addUsage(tables, transaction, { tenant, nowMs, key: jti, views: 1 })

/** Counts that a token opened a document, unless it was counted in this month already. */
export async function countOpening({ deployment, tenant, caller }: DocumentContext): Promise<void> {
  if (caller.kind !== 'document' || caller.share !== undefined) return
  const { tables, clock } = deployment
  const view = { tenant: tenant.internal, jti: caller.jti, nowMs: clock.now() }
  await transact(deployment, (transaction) => countView(tables, transaction, view))
}

async function countView(tables: Tables, transaction: Transaction, { tenant, jti, nowMs }: View): Promise<void> {
  const { name, endMs } = monthAt(nowMs)
  const slot = tables.views.at([tenant, jti])
  const counted = await transaction.read(slot)
  if (counted?.month === name) return
  transaction.put(slot, { month: name, expiresAt: endMs })
  await addUsage(tables, transaction, { tenant, nowMs, key: jti, views: 1 })
}

export interface Usage {
  readonly tenant: string
  readonly nowMs: number
  /** Key by which views are spread over the shards. */
  readonly key: string
  readonly views?: number
  readonly uploads?: number
}

export async function addUsage(tables: Tables, transaction: Transaction, usage: Usage): Promise<void> {
  const { tenant, nowMs, key, views = 0, uploads = 0 } = usage
  const slot = tables.usage.at([tenant, monthAt(nowMs).name, shardOf(key)])
  const row = (await transaction.read(slot)) ?? { views: 0, uploads: 0 }
  transaction.put(slot, { views: row.views + views, uploads: row.uploads + uploads })
}
