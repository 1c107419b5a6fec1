// Row of a tenant.
import { type Static, Type } from 'typebox'

export const TenantRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  autoProvisioned: Type.Boolean(),
  status: Type.Enum(['active', 'suspended', 'deleting']),
  suspendedReason: Type.Union([Type.String(), Type.Null()]),
  /** True if reads of its documents are recorded; missing = false. */
  auditReads: Type.Optional(Type.Boolean()),
  createdAt: Type.Integer(),
})
export type TenantRow = Static<typeof TenantRow>
