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
  /** Bytes that it may store; 0 = unlimited, null or missing = the setting of the deployment. */
  storedBytesMax: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
  createdAt: Type.Integer(),
})
export type TenantRow = Static<typeof TenantRow>
