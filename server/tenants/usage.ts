// What a tenant used. Facts only; views are counted by token, uploads and bytes by document.
import type { Deployment } from '../deployment.js'
import type { Found } from '../operation.js'
import type { TenantRow } from '../rows/tenant.js'

export interface Month {
  /** `2026-11`, UTC. */
  readonly name: string
  readonly startMs: number
  readonly endMs: number
}

export function monthAt(nowMs: number): Month {
  const now = new Date(nowMs)
  return monthFrom(now.getUTCFullYear(), now.getUTCMonth())
}

/** Undefined = the name is no month. */
export function monthOf(name: string): Month | undefined {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(name) ?? []
  return year === undefined || month === undefined ? undefined : monthFrom(Number(year), Number(month) - 1)
}

/** Months count from 0. */
function monthFrom(year: number, month: number): Month {
  const startMs = Date.UTC(year, month)
  return { name: new Date(startMs).toISOString().slice(0, 7), startMs, endMs: Date.UTC(year, month + 1) }
}

export async function usageOf({ tables }: Deployment, tenant: Found<TenantRow>, month: Month) {
  let [views, uploads, bytes] = [0, 0, 0]
  for await (const { row } of tables.usage.range([tenant.internal, month.name])) {
    views += row.views
    uploads += row.uploads
  }
  for await (const { row } of tables.storage.range([tenant.internal])) bytes += row.bytes
  return {
    tenantId: tenant.row.id,
    periodStart: new Date(month.startMs).toISOString(),
    periodEnd: new Date(month.endMs).toISOString(),
    metrics: { 'pdf.views': views, 'pdf.uploads': uploads, 'storage.bytes': Math.max(0, bytes) },
  }
}
