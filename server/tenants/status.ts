// Suspends and resumes. Both take effect with the next request, because every request reads the tenant's row.
import type { Deployment } from '../deployment.js'
import { notFound } from '../errors.js'
import type { Found } from '../operation.js'
import type { TenantRow } from '../rows/tenant.js'
import { transact } from '../storage/transact.js'

export async function setTenantStatus(
  { store, tables, bus }: Deployment,
  { internal }: Found<TenantRow>,
  change: { readonly status: 'active' | 'suspended'; readonly suspendedReason: string | null },
): Promise<void> {
  await transact(store, async () => {
    const stored = await tables.tenants.find([internal])
    if (!stored || stored.row.status === 'deleting') throw notFound('tenant')
    return { commit: tables.tenants.replace(stored, { ...stored.row, ...change }), result: undefined }
  })
  bus.publish(`tenant:${internal}`)
}
