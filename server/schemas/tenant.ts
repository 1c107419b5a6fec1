// Wire schemas of tenants and their usage.
import { Type } from 'typebox'
import { strict } from '../../workers/contract/strict.js'
import { Name } from '../auth/claims.js'
import { Nullable, StoredBytesMax, TenantId } from './ids.js'

export const Tenant = Type.Object({
  id: TenantId,
  name: Type.String(),
  autoProvisioned: Type.Boolean(),
  status: Type.Enum(['active', 'suspended']),
  auditReads: Type.Boolean(),
  storedBytesMax: Nullable(StoredBytesMax),
  /** Milliseconds since 1970. */
  createdAt: Type.Integer(),
})

export const TenantCreate = Type.Object(
  {
    id: TenantId,
    name: Type.Optional(Name),
  },
  strict,
)

/** Update of a tenant; null clears a member. */
export const TenantUpdate = Type.Object(
  { auditReads: Type.Optional(Type.Boolean()), storedBytesMax: Type.Optional(Nullable(StoredBytesMax)) },
  strict,
)

export const TenantList = Type.Object({ tenants: Type.Array(Tenant), nextCursor: Nullable(Type.String()) })

export const TenantSuspend = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 1024 })) }, strict)

export const TenantUsage = Type.Object({
  tenantId: TenantId,
  /** First instants of the month and of the next, ISO 8601 in UTC. */
  periodStart: Type.String(),
  periodEnd: Type.String(),
  metrics: Type.Object({
    'pdf.views': Type.Integer({ minimum: 0 }),
    'pdf.uploads': Type.Integer({ minimum: 0 }),
    'storage.bytes': Type.Integer({ minimum: 0 }),
  }),
  /** Maxima; null = unlimited. */
  limits: Type.Object({
    'storage.bytes': Nullable(Type.Integer({ minimum: 1 })),
    'share.bytes': Nullable(Type.Integer({ minimum: 1 })),
    'token.bytes': Nullable(Type.Integer({ minimum: 1 })),
  }),
})
