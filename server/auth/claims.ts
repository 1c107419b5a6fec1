// Claims of the server's JWTs (RFC 7519), validated after the signature. Invalid claims make the token invalid.
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Caller } from './caller.js'
import { parseDocumentScope } from './document-scope.js'
import type { Person } from './person.js'
import { isTenantScope } from './tenant-scopes.js'

/**
 * Name that excludes U+0000 and lone surrogates, because some names are written into PDF files and others are parts
 * of keys.
 */
export const Name = Type.Refine(
  Type.String({ minLength: 1, maxLength: 256 }),
  (text) => !/[\0\p{Surrogate}]/u.test(text),
  () => 'must be well-formed Unicode without U+0000',
)
const Groups = Type.Array(Name, { maxItems: 64 })

export const Identity = Type.Object(
  {
    userId: Type.Optional(Name),
    displayName: Type.Optional(Name),
    email: Type.Optional(Name),
    title: Type.Optional(Name),
    organization: Type.Optional(Name),
    organizationalUnit: Type.Optional(Name),
    groupId: Type.Optional(Name),
    groups: Type.Optional(Groups),
  },
  { additionalProperties: false },
)
export type Identity = Static<typeof Identity>

const Claims = Type.Object({
  sub: Name,
  tenant_id: Type.String({ pattern: '^[A-Za-z0-9_-]+$' }),
  doc_id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]+$' })),
  layer_name: Type.Optional(Name),
  scope: Type.Array(Type.String({ maxLength: 300 }), { maxItems: 64 }),
  identity: Type.Optional(Identity),
  user_id: Type.Optional(Name),
  display_name: Type.Optional(Name),
  group_id: Type.Optional(Name),
  groups: Type.Optional(Groups),
  /** Internal id of the tenant or document the token was issued for; unlike public ids, it is never reused. */
  resource_id: Type.Optional(Name),
  /** Internal id of the share from which the session was created. */
  share_id: Type.Optional(Name),
  /** Bytes that the token, or all sessions of its share, may store; 0 = unlimited. */
  stored_bytes_max: Type.Optional(Type.Integer({ minimum: 0 })),
  origins: Type.Optional(Type.Array(Type.String({ maxLength: 262 }), { minItems: 1, maxItems: 32 })),
  jti: Name,
  // Seconds; RFC 7519 allows fractions, and issuers in other languages send them.
  iat: Type.Number({ minimum: 0 }),
  exp: Type.Number({ minimum: 0 }),
})
export type Claims = Static<typeof Claims>

const claimsValidator = Compile(Claims)

/** The layer that every document has; tokens and shares without a layer refer to it. */
export const defaultLayer = 'default'

/** Returns the caller of a token payload; undefined if the claims are invalid. */
export function callerOf(payload: unknown): Caller | undefined {
  if (!claimsValidator.Check(payload)) return undefined
  const bearer = {
    sub: payload.sub,
    tenantId: payload.tenant_id,
    jti: payload.jti,
    issuedAt: payload.iat,
    expiresAt: payload.exp,
    origins: payload.origins,
    resourceId: payload.resource_id,
  }
  if (payload.doc_id === undefined) {
    const scopes = payload.scope.filter(isTenantScope)
    return scopes.length === payload.scope.length ? { kind: 'tenant', ...bearer, scopes } : undefined
  }
  const scope = parseDocumentScope(payload.scope)
  if ('unknown' in scope) return undefined
  const layerName = payload.layer_name ?? defaultLayer
  return {
    kind: 'document',
    ...bearer,
    docId: payload.doc_id,
    layerName,
    scope,
    person: personOf(payload),
    share: payload.share_id,
    storedBytesMax: payload.stored_bytes_max,
  }
}

/** Returns the person of the claims; `identity` takes precedence over the flat claims. */
function personOf({ identity = {}, user_id, display_name, group_id, groups }: Claims): Person {
  const userId = identity.userId ?? user_id
  const displayName = identity.displayName ?? display_name
  const groupId = identity.groupId ?? group_id
  const all = identity.groups ?? groups
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(displayName === undefined ? {} : { displayName }),
    ...(groupId === undefined ? {} : { groupId }),
    ...(all === undefined ? {} : { groups: all }),
  }
}
