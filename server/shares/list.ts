// Pages through the grants of a tenant, or of one of its documents, newest first.
import type { PageQuery } from '../http/paging.js'
import { pageOf } from '../http/paging.js'
import type { TenantContext } from '../operation/operation.js'
import { describeShares } from './describe.js'

export async function listShares({ docId, ...query }: PageQuery & { readonly docId?: string }, context: TenantContext) {
  const { deployment, tenant } = context
  const { tables } = deployment
  const document = docId === undefined ? undefined : await tables.documentIds.get([docId])
  if (docId !== undefined && document?.tenant !== tenant.internal) return { shares: [], nextCursor: null }
  const range = (last: string | undefined) =>
    document
      ? tables.shares.range([tenant.internal, document.document], {
          isReversed: true,
          ...(last === undefined ? {} : { after: [tenant.internal, document.document, last] }),
        })
      : all(last)
  async function* all(last: string | undefined) {
    const after = last === undefined ? {} : { after: [tenant.internal, last] as const }
    for await (const { row } of tables.tenantShares.range([tenant.internal], { isReversed: true, ...after })) {
      const key = [row.tenant, row.document, row.share] as const
      const share = await tables.shares.get(key)
      if (share) yield { key, row: share }
    }
  }
  const { items, nextCursor } = await pageOf(query, { from: range, cursorOf: ({ key: [, , share] }) => share })
  return {
    shares: await describeShares(
      items.map(({ row }) => row),
      context,
    ),
    nextCursor,
  }
}
