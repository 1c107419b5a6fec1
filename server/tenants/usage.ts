// Usage report of a tenant: views by token, uploads and bytes by document.
import type { Deployment } from '../operation/deployment.js'
import type { InternalRow } from '../operation/operation.js'
import { boundOf } from '../operation/storage-bounds.js'
import type { TenantRow } from '../rows/tenant.js'
import type { Month } from './month.js'

export async function usageOf({ tables, config }: Deployment, tenant: InternalRow<TenantRow>, month: Month) {
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
    limits: {
      'storage.bytes': boundOf(config, 'tenantBytesMax', tenant.row.storedBytesMax) ?? null,
      'share.bytes': boundOf(config, 'shareBytesMax') ?? null,
      'token.bytes': boundOf(config, 'tokenBytesMax') ?? null,
    },
  }
}
