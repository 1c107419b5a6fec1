// Suspends and resumes a tenant, switches its log of reads, and sets what it may store. All take effect with the next
// request, because every request reads the tenant's row.
import type { Deployment } from '../operation/deployment.js'
import type { InternalRow } from '../operation/operation.js'
import { notFound } from '../refusals/refusal.js'
import type { TenantRow } from '../rows/tenant.js'
import { tenantTopic } from '../storage/tenant-topic.js'
import { transact } from '../storage/transaction.js'

export type TenantChange =
  | { readonly status: 'active' | 'suspended'; readonly suspendedReason: string | null }
  | { readonly auditReads?: boolean; readonly storedBytesMax?: number | null }

export async function changeTenant(
  deployment: Deployment,
  { internal }: InternalRow<TenantRow>,
  change: TenantChange,
): Promise<TenantRow> {
  const slot = deployment.tables.tenants.at([internal])
  const changed = await transact(
    deployment,
    async (transaction) => {
      const row = await transaction.read(slot)
      if (!row || row.status === 'deleting') throw notFound('tenant')
      const next = { ...row, ...change }
      transaction.put(slot, next)
      return next
    },
    { isUrgent: 'status' in change && change.status === 'suspended' },
  )
  deployment.bus.publish(tenantTopic(internal))
  return changed
}
