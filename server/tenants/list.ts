// Pages through tenants, newest first: internal ids are made in the order of time.

import { type PageWish, pageOf } from '../http/paging.js'
import type { Deployment } from '../operation/deployment.js'
import { describeTenant } from './describe.js'

export async function listTenants({ tables }: Deployment, wish: PageWish) {
  const { items, nextCursor } = await pageOf(wish, {
    from: (last) => tables.tenants.range([], { isReversed: true, ...(last === undefined ? {} : { after: [last] }) }),
    cursorOf: ({ key: [tenant] }) => tenant,
    isWanted: ({ row }) => row.status !== 'deleting',
  })
  return { tenants: items.map(({ row }) => describeTenant(row)), nextCursor }
}
