// Wire schemas of issuing and revoking tokens.
import { Type } from 'typebox'
import { strict } from '../../workers/contract/strict.js'
import { Identity, Name } from '../auth/claims.js'
import { tenantScopes } from '../auth/tenant-scopes.js'
import { limits } from '../limits.js'
import { DocId, LayerName, StoredBytesMax } from './ids.js'
import { Origins } from './origins.js'
import { TokenScopeWord } from './scope.js'

const ExpiresIn = Type.Integer({
  minimum: 60,
  maximum: limits.tokenLifetimeSecondsMax,
  description: 'Lifetime in seconds.',
})

export const DocumentTokenIssue = Type.Object(
  {
    kind: Type.Literal('doc'),
    sub: Name,
    docId: DocId,
    layerName: Type.Optional(LayerName),
    scope: Type.Array(TokenScopeWord, { minItems: 1, maxItems: 64 }),
    userId: Type.Optional(Name),
    displayName: Type.Optional(Name),
    groupId: Type.Optional(Name),
    groups: Type.Optional(Type.Array(Name, { maxItems: 64 })),
    identity: Type.Optional(Identity),
    origins: Type.Optional(Origins),
    storedBytesMax: Type.Optional(StoredBytesMax),
    expiresIn: ExpiresIn,
  },
  strict,
)

export const TenantTokenIssue = Type.Object(
  {
    kind: Type.Literal('tenant'),
    sub: Name,
    scope: Type.Array(Type.Enum([...tenantScopes]), { minItems: 1, maxItems: 16 }),
    expiresIn: ExpiresIn,
  },
  strict,
)

export const TokenIssue = Type.Union([DocumentTokenIssue, TenantTokenIssue])

export const TokenIssued = Type.Object({
  token: Type.String(),
  jti: Type.String(),
  /** Seconds since 1970. */
  expiresAt: Type.Integer(),
})

export const TokenRevoke = Type.Object(
  {
    reason: Type.Optional(Type.String({ maxLength: 1024 })),
    expiresAtSeconds: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  strict,
)
