// Counts a view once per month and token: a share exchange, or the first manifest a token reads.
import type { Deployment } from '../deployment.js'
import { joined, nothing } from '../storage/change.js'
import type { Commit } from '../storage/store.js'
import { monthOf } from './usage.js'

export interface View {
  readonly tenant: string
  readonly jti: string
  readonly nowMs: number
}

/** What to write; nothing where this token was counted already. */
export async function countView(deployment: Pick<Deployment, 'tables'>, { tenant, jti, nowMs }: View): Promise<Commit> {
  const { tables } = deployment
  const month = monthOf(undefined, nowMs)
  const known = await tables.views.find([tenant, jti])
  if (month === undefined || known?.row.month === month.name) return nothing
  const row = { month: month.name, expiresAt: month.endMs }
  const mark = known ? tables.views.replace(known, row) : tables.views.create([tenant, jti], row)
  return joined(mark, await addUsage(deployment, { tenant, month: month.name, key: jti, views: 1, uploads: 0 }))
}

export interface Usage {
  readonly tenant: string
  readonly month: string
  /** Spreads writers over the shards. */
  readonly key: string
  readonly views: number
  readonly uploads: number
}

const shards = 8

export async function addUsage({ tables }: Pick<Deployment, 'tables'>, { tenant, month, key, views, uploads }: Usage) {
  const slot = [tenant, month, shardOf(key)] as const
  const stored = await tables.usage.find(slot)
  if (!stored) return tables.usage.create(slot, { views, uploads })
  const { row } = stored
  return tables.usage.replace(stored, { views: row.views + views, uploads: row.uploads + uploads })
}

const shardOf = (key: string): number => [...key].reduce((sum, letter) => (sum + letter.charCodeAt(0)) % shards, 0)
