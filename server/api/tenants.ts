// Operations on tenants, for the API token only; tenant tokens may read their usage.
import { Type } from 'typebox'
import { strict } from '../../workers/contract/strict.js'
import { operation } from '../operation/operation.js'
import { invalidArg } from '../refusals/refusal.js'
import { PageQuery, TenantPath } from '../schemas/ids.js'
import { Tenant, TenantCreate, TenantList, TenantSuspend, TenantUpdate, TenantUsage } from '../schemas/tenant.js'
import { describeTenant } from '../tenants/describe.js'
import { ensureTenant } from '../tenants/ensure.js'
import { listTenants } from '../tenants/list.js'
import { monthAt, monthOf } from '../tenants/month.js'
import { changeTenant } from '../tenants/status.js'
import { usageOf } from '../tenants/usage.js'

const authority = { kind: 'api-token' } as const

export const tenantOperations = [
  operation({
    name: 'tenants.list',
    summary: 'List tenants, newest first',
    plane: 'deployment',
    method: 'GET',
    path: '/v1/tenants',
    authority,
    input: { query: Type.Object(PageQuery, strict) },
    answer: TenantList,
    handle: ({ query }, { deployment }) => listTenants(deployment, query),
  }),
  operation({
    name: 'tenants.create',
    summary: 'Make sure that a tenant exists',
    plane: 'deployment',
    method: 'POST',
    path: '/v1/tenants',
    authority,
    input: { body: TenantCreate },
    answer: Type.Object({ tenant: Tenant, created: Type.Boolean() }),
    handle: async ({ body }, { deployment }) => {
      const { row, created } = await ensureTenant(deployment, body)
      return { tenant: describeTenant(row), created }
    },
  }),
  operation({
    name: 'tenants.get',
    summary: 'Read one tenant',
    plane: 'tenant',
    method: 'GET',
    path: '/v1/tenants/:tenantId',
    authority,
    input: { params: TenantPath },
    answer: Type.Object({ tenant: Tenant }),
    handle: async (_input, { tenant }) => ({ tenant: describeTenant(tenant.row) }),
  }),
  operation({
    name: 'tenants.update',
    summary: 'Switch the log of reads of a tenant on or off, and set what it may store; null clears a member',
    plane: 'tenant',
    method: 'PATCH',
    path: '/v1/tenants/:tenantId',
    authority,
    input: { params: TenantPath, body: TenantUpdate },
    answer: Type.Object({ tenant: Tenant }),
    handle: async ({ body }, { deployment, tenant }) => ({
      tenant: describeTenant(await changeTenant(deployment, tenant, body)),
    }),
  }),
  operation({
    name: 'tenants.delete',
    summary: 'Delete a tenant with its documents, layers, bytes and audit history, irreversibly',
    plane: 'tenant',
    method: 'DELETE',
    path: '/v1/tenants/:tenantId',
    authority,
    input: { params: TenantPath },
    answer: 'none',
    handle: (_input, { deployment, tenant }) => deployment.deletions.deleteTenant(tenant.internal),
  }),
  operation({
    name: 'tenants.suspend',
    summary: 'Suspend a tenant: every token of it is refused until it is resumed',
    plane: 'tenant',
    method: 'POST',
    path: '/v1/tenants/:tenantId/suspend',
    authority,
    input: { params: TenantPath, body: TenantSuspend },
    isBodyOptional: true,
    answer: 'none',
    handle: ({ body }, { deployment, tenant }) =>
      changeTenant(deployment, tenant, { status: 'suspended', suspendedReason: body.reason ?? null }),
  }),
  operation({
    name: 'tenants.resume',
    summary: 'Resume a suspended tenant',
    plane: 'tenant',
    method: 'POST',
    path: '/v1/tenants/:tenantId/resume',
    authority,
    input: { params: TenantPath },
    answer: 'none',
    handle: (_input, { deployment, tenant }) =>
      changeTenant(deployment, tenant, { status: 'active', suspendedReason: null }),
  }),
  operation({
    name: 'tenants.usage',
    summary: 'Usage of a tenant in a month: views, uploads, stored bytes',
    plane: 'tenant',
    method: 'GET',
    path: '/v1/tenants/:tenantId/usage',
    authority: { kind: 'tenant', scopes: ['docs.read'] },
    input: {
      params: TenantPath,
      query: Type.Object({ period: Type.Optional(Type.String({ maxLength: 16 })) }, strict),
    },
    answer: TenantUsage,
    handle: ({ query }, { deployment, tenant }) => {
      const current = monthAt(deployment.clock.now())
      const month = query.period === undefined ? current : monthOf(query.period)
      if (month === undefined) throw invalidArg('period must be a month, such as 2026-11')
      if (month.startMs > current.startMs) throw invalidArg(`period ${month.name} has not begun: it is ${current.name}`)
      return usageOf(deployment, tenant, month)
    },
  }),
] as const
