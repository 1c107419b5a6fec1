// Pages through tenants, newest first: internal ids sort by creation time.

import { type PageQuery, pageOf } from '../http/paging.js'
import type { Deployment } from '../operation/deployment.js'
import { describeTenant } from './describe.js'

export async function listTenants({ tables }: Deployment, query: PageQuery) {
  const { items, nextCursor } = await pageOf(query, {
    from: (last) => tables.tenants.range([], { isReversed: true, ...(last === undefined ? {} : { after: [last] }) }),
    cursorOf: ({ key: [tenant] }) => tenant,
    isWanted: ({ row }) => row.status !== 'deleting',
  })
  return { tenants: items.map(({ row }) => describeTenant(row)), nextCursor }
}
