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

/** The month of now where none is named; undefined where the name is no month. */
export function monthOf(name: string | undefined, nowMs: number): Month | undefined {
  const named = name ?? new Date(nowMs).toISOString().slice(0, 7)
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(named) ?? []
  if (year === undefined || month === undefined) return undefined
  const [years, months] = [Number(year), Number(month)]
  return { name: named, startMs: Date.UTC(years, months - 1), endMs: Date.UTC(years, months) }
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
