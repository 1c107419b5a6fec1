// Lists the documents of a tenant, newest first.
import type { PageQuery } from '../http/paging.js'
import { pageOf } from '../http/paging.js'
import type { TenantContext } from '../operation/operation.js'
import type { DocumentRow } from '../rows/document.js'
import { describeDocument } from './describe.js'

export interface DocumentsQuery extends PageQuery {
  readonly state?: DocumentRow['state']
}

export async function listDocuments({ state, ...query }: DocumentsQuery, { deployment, tenant }: TenantContext) {
  const { items, nextCursor } = await pageOf(query, {
    from: (last) =>
      deployment.tables.documents.range([tenant.internal], {
        isReversed: true,
        ...(last === undefined ? {} : { after: [tenant.internal, last] }),
      }),
    cursorOf: ({ key: [, document] }) => document,
    // Documents being deleted are listed only if requested.
    isWanted: ({ row }) => row.state === (state ?? row.state) && (state === 'deleting' || row.state !== 'deleting'),
  })
  return { documents: items.map(({ row }) => describeDocument(row, tenant.row.id)), nextCursor }
}
