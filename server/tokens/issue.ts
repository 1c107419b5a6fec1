// Issues tokens with a subset of the caller's rights: the API token may issue both kinds, a tenant token only
// document tokens.
import type { Static } from 'typebox'
import { closest } from '../../core/value/suggestions.js'
import { capabilities } from '../../workers/contract/capabilities.js'
import { parseDocumentScope } from '../auth/document-scope.js'
import { type MintedToken, mint } from '../auth/mint.js'
import type { TenantContext } from '../operation/operation.js'
import { forbidden, invalidArg, notFound } from '../refusals/refusal.js'
import type { DocumentTokenIssue, TokenIssue } from '../schemas/token.js'

export async function issueToken(request: Static<typeof TokenIssue>, context: TenantContext): Promise<MintedToken> {
  const { caller, tenant, deployment } = context
  if (request.kind === 'tenant') {
    if (caller.kind !== 'api') throw forbidden('only the API token can issue tenant tokens')
    const { sub, scope } = request
    const claims = { sub, tenant_id: tenant.row.id, scope: [...scope], resource_id: tenant.internal }
    return sign(claims, request.expiresIn, context)
  }
  refuseUnknownScope(request.scope)
  const pointer = await deployment.tables.documentIds.get([request.docId])
  if (!pointer || pointer.tenant !== tenant.internal) throw notFound('document')
  const claims = { ...claimsOf(request, tenant.row.id), resource_id: pointer.document }
  return sign(claims, request.expiresIn, context)
}

/** Throws `InvalidArg` for an unknown scope, here and in shares. One unknown scope refuses the whole request. */
export function refuseUnknownScope(scope: readonly string[]): void {
  const parsed = parseDocumentScope(scope)
  if (!('unknown' in parsed)) return
  const found = closest(parsed.unknown, capabilities)
  const hint = found === undefined ? '' : `; did you mean "${found}"?`
  throw invalidArg(`"${parsed.unknown}" is no capability and no collaboration scope${hint}`)
}

function claimsOf(request: Static<typeof DocumentTokenIssue>, tenantId: string) {
  const { userId, displayName, groupId, groups, origins, layerName, storedBytesMax } = request
  return {
    sub: request.sub,
    tenant_id: tenantId,
    doc_id: request.docId,
    scope: [...request.scope],
    ...(layerName === undefined ? {} : { layer_name: layerName }),
    ...identityClaim(request),
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(displayName === undefined ? {} : { display_name: displayName }),
    ...(groupId === undefined ? {} : { group_id: groupId }),
    ...(groups === undefined ? {} : { groups }),
    ...(origins === undefined ? {} : { origins }),
    ...(storedBytesMax === undefined ? {} : { stored_bytes_max: storedBytesMax }),
  }
}

/** Returns the claim `identity`, which clients read. Members of the identity in the request take precedence. */
function identityClaim({ userId, displayName, groupId, groups, identity }: Static<typeof DocumentTokenIssue>) {
  const flat = Object.entries({ userId, displayName, groupId, groups }).filter(([, value]) => value !== undefined)
  if (identity === undefined && flat.length === 0) return {}
  return { identity: { ...Object.fromEntries(flat), ...identity } }
}

function sign(
  claims: Parameters<typeof mint>[0],
  lifetimeSeconds: number,
  { deployment }: TenantContext,
): Promise<MintedToken> {
  const { authenticator, clock, random } = deployment
  const secret = authenticator.mintingSecret
  // The operation is mounted only if there is a secret.
  if (secret === undefined) throw notFound('operation')
  return mint(claims, { secret, nowMs: clock.now(), jti: random.uuid(), lifetimeSeconds })
}
