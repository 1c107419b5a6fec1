// Makes sure that a tenant of this id exists. Asked twice, the second time finds what the first made.
import type { Deployment } from '../deployment.js'
import { newInternalId } from '../documents/internal-ids.js'
import { Refusal } from '../errors.js'
import type { TenantRow } from '../rows/tenant.js'
import { nothing } from '../storage/change.js'
import { transact } from '../storage/transact.js'

export interface TenantWish {
  readonly id: string
  readonly name?: string
}

export interface Ensured {
  readonly row: TenantRow
  readonly created: boolean
}

export async function ensureTenant(
  { store, tables, clock }: Deployment,
  { id, name = id }: TenantWish,
): Promise<Ensured> {
  return transact(store, async () => {
    const pointer = await tables.tenantIds.get([id])
    const existing = pointer && (await tables.tenants.get([pointer.tenant]))
    if (existing?.status === 'deleting') {
      throw new Refusal('Conflict', 'The tenant of this id is being removed; its id is free when that is done')
    }
    if (existing) return { commit: nothing, result: { row: existing, created: false } }
    const now = clock.now()
    const row: TenantRow = { id, name, autoProvisioned: false, status: 'active', suspendedReason: null, createdAt: now }
    return { commit: tables.tenants.create([newInternalId(now)], row), result: { row, created: true } }
  })
}
