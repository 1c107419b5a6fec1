// Operations on share grants and viewer sessions.
import { Type } from 'typebox'
import { strict } from '../../workers/contract/strict.js'
import { operation } from '../operation/operation.js'
import { DocId, PageQuery, ShareToken, TenantId, TenantPath } from '../schemas/ids.js'
import { ShareAnswer, ShareCreate, ShareExchange, ShareList, ShareSession, ShareUpdate } from '../schemas/share.js'
import { createShare } from '../shares/create.js'
import { deleteShare } from '../shares/delete.js'
import { describeShare } from '../shares/describe.js'
import { exchangeShare } from '../shares/exchange.js'
import { findShare } from '../shares/find.js'
import { listShares } from '../shares/list.js'
import { updateShare } from '../shares/update.js'

const authority = { kind: 'tenant', scopes: ['shares.manage'] } as const
const SharePath = Type.Object({ tenantId: TenantId, shareId: ShareToken })

export const shareOperations = [
  operation({
    name: 'shares.list',
    summary: 'List share grants, newest first',
    plane: 'tenant',
    method: 'GET',
    path: '/v1/tenants/:tenantId/shares',
    authority,
    input: { params: TenantPath, query: Type.Object({ ...PageQuery, docId: Type.Optional(DocId) }, strict) },
    answer: ShareList,
    needs: 'minting',
    handle: ({ query }, context) => listShares(query, context),
  }),
  operation({
    name: 'shares.create',
    summary: 'Share a document with anyone who has the link',
    plane: 'tenant',
    method: 'POST',
    path: '/v1/tenants/:tenantId/shares',
    authority,
    input: { params: TenantPath, body: ShareCreate },
    answer: ShareAnswer,
    needs: 'minting',
    handle: async ({ body }, context) => ({ share: await describeShare(await createShare(body, context), context) }),
  }),
  operation({
    name: 'shares.get',
    summary: 'Read one share grant',
    plane: 'tenant',
    method: 'GET',
    path: '/v1/tenants/:tenantId/shares/:shareId',
    authority,
    input: { params: SharePath },
    answer: ShareAnswer,
    needs: 'minting',
    handle: async ({ params }, context) => {
      const row = await findShare(context.deployment, { id: params.shareId, tenant: context.tenant.internal })
      return { share: await describeShare(row, context) }
    },
  }),
  operation({
    name: 'shares.update',
    summary: 'Change a share grant; null clears a member',
    plane: 'tenant',
    method: 'PATCH',
    path: '/v1/tenants/:tenantId/shares/:shareId',
    authority,
    input: { params: SharePath, body: ShareUpdate },
    answer: ShareAnswer,
    needs: 'minting',
    handle: async ({ params, body }, context) => ({
      share: await describeShare(await updateShare(params.shareId, body, context), context),
    }),
  }),
  operation({
    name: 'shares.delete',
    summary: 'Delete a share grant',
    plane: 'tenant',
    method: 'DELETE',
    path: '/v1/tenants/:tenantId/shares/:shareId',
    authority,
    input: { params: SharePath },
    answer: 'none',
    needs: 'minting',
    handle: ({ params }, context) => deleteShare(params.shareId, context),
  }),
  operation({
    name: 'shares.exchange',
    summary: 'Exchange a share token for a viewer session; for browsers',
    plane: 'deployment',
    method: 'POST',
    path: '/v1/share-sessions',
    authority: { kind: 'none' },
    input: { body: ShareExchange },
    answer: ShareSession,
    needs: 'minting',
    handle: ({ body }, context) => exchangeShare(body, context),
  }),
] as const
