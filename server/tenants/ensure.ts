// Ensures that a tenant with this id exists. Idempotent.

import { untilReusable } from '../deletion/retirement.js'
import type { Deployment } from '../operation/deployment.js'
import type { TenantRow } from '../rows/tenant.js'
import { newInternalId } from '../storage/internal-ids.js'
import { transact } from '../storage/transaction.js'

export interface NewTenant {
  readonly id: string
  readonly name?: string
}

export interface EnsureResult {
  readonly row: TenantRow
  readonly created: boolean
}

export async function ensureTenant(deployment: Deployment, { id, name = id }: NewTenant): Promise<EnsureResult> {
  const { tables, clock } = deployment
  return transact(deployment, async (transaction) => {
    const pointer = await transaction.read(tables.tenantIds.at([id]))
    const existing = pointer && (await transaction.read(tables.tenants.at([pointer.tenant])))
    if (existing) return { row: existing, created: false }
    await untilReusable(tables, transaction, id, clock)
    const now = clock.now()
    const row: TenantRow = { id, name, autoProvisioned: false, status: 'active', suspendedReason: null, createdAt: now }
    transaction.put(tables.tenants.at([newInternalId(now)]), row)
    return { row, created: true }
  })
}
