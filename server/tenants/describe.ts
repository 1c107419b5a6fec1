// Converts the row of a tenant to its representation in responses.
import type { Static } from 'typebox'
import type { TenantRow } from '../rows/tenant.js'
import type { Tenant } from '../schemas/tenant.js'

export function describeTenant(row: TenantRow): Static<typeof Tenant> {
  const { id, name, autoProvisioned, auditReads = false, storedBytesMax = null, createdAt } = row
  const status = row.status === 'suspended' ? 'suspended' : 'active'
  return { id, name, autoProvisioned, status, auditReads, storedBytesMax, createdAt }
}
