// Suspends and resumes a tenant. Both take effect with the next request, because every request reads the tenant's
// row.
import type { Deployment } from '../operation/deployment.js'
import type { InternalRow } from '../operation/operation.js'
import { notFound } from '../refusals/refusal.js'
import type { TenantRow } from '../rows/tenant.js'
import { tenantTopic } from '../storage/tenant-topic.js'
import { transact } from '../storage/transaction.js'

export async function setTenantStatus(
  deployment: Deployment,
  { internal }: InternalRow<TenantRow>,
  change: { readonly status: 'active' | 'suspended'; readonly suspendedReason: string | null },
): Promise<void> {
  const slot = deployment.tables.tenants.at([internal])
  await transact(
    deployment,
    async (transaction) => {
      const row = await transaction.read(slot)
      if (!row || row.status === 'deleting') throw notFound('tenant')
      transaction.put(slot, { ...row, ...change })
    },
    { isUrgent: change.status === 'suspended' },
  )
  deployment.bus.publish(tenantTopic(internal))
}
