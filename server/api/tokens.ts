// Operations that issue tokens with a subset of the caller's rights, and revoke them by id. Issuing needs the signing
// secret; a deployment that verifies with public keys mints elsewhere.
import { Type } from 'typebox'
import { operation } from '../operation/operation.js'
import { Jti, TenantId, TenantPath } from '../schemas/ids.js'
import { TokenIssue, TokenIssued, TokenRevoke } from '../schemas/token.js'
import { issueToken } from '../tokens/issue.js'
import { revokeToken } from '../tokens/revoke.js'

export const tokenOperations = [
  operation({
    name: 'tokens.issue',
    summary: 'Issue a document token, or with the API token a tenant token',
    plane: 'tenant',
    method: 'POST',
    path: '/v1/tenants/:tenantId/tokens',
    authority: { kind: 'tenant', scopes: ['tokens.issue-doc'] },
    input: { params: TenantPath, body: TokenIssue },
    answer: TokenIssued,
    needs: 'minting',
    handle: ({ body }, context) => issueToken(body, context),
  }),
  operation({
    name: 'tokens.revoke',
    summary: 'Revoke a token',
    plane: 'tenant',
    method: 'POST',
    path: '/v1/tenants/:tenantId/tokens/:jti/revoke',
    authority: { kind: 'tenant', scopes: ['tokens.revoke'] },
    input: { params: Type.Object({ tenantId: TenantId, jti: Jti }), body: TokenRevoke },
    isBodyOptional: true,
    answer: 'none',
    needs: 'revocation',
    handle: ({ params, body }, context) => revokeToken(params.jti, body, context),
  }),
] as const
