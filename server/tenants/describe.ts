// Converts the row of a tenant to its representation in responses.
import type { Static } from 'typebox'
import type { TenantRow } from '../rows/tenant.js'
import type { Tenant } from '../schemas/tenant.js'

export function describeTenant({ id, name, autoProvisioned, status, createdAt }: TenantRow): Static<typeof Tenant> {
  return { id, name, autoProvisioned, status: status === 'suspended' ? 'suspended' : 'active', createdAt }
}
