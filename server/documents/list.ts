// Lists the documents of a tenant, newest first.
import type { PageQuery } from '../http/paging.js'
import { pageOf } from '../http/paging.js'
import type { TenantContext } from '../operation/operation.js'
import type { DocumentRow } from '../rows/document.js'
import { describeDocument } from './describe.js'

export interface DocumentsQuery extends PageQuery {
  readonly state?: DocumentRow['state']
  /** Part of the id or the file name, whatever the case. */
  readonly name?: string
}

export async function listDocuments({ state, name, ...query }: DocumentsQuery, { deployment, tenant }: TenantContext) {
  const { items, nextCursor } = await pageOf(query, {
    from: (last) =>
      deployment.tables.documents.range([tenant.internal], {
        isReversed: true,
        ...(last === undefined ? {} : { after: [tenant.internal, last] }),
      }),
    cursorOf: ({ key: [, document] }) => document,
    // Documents being deleted are listed only if requested.
    isWanted: ({ row }) =>
      row.state === (state ?? row.state) &&
      (state === 'deleting' || row.state !== 'deleting') &&
      (name === undefined || isNamed(row, name)),
  })
  return { documents: items.map(({ row }) => describeDocument(row, tenant.row.id)), nextCursor }
}

function isNamed({ id, metadata }: DocumentRow, name: string): boolean {
  const sought = comparable(name)
  const { fileName } = metadata ?? {}
  return comparable(id).includes(sought) || (typeof fileName === 'string' && comparable(fileName).includes(sought))
}

/** Names of files come composed from some systems and decomposed from others. */
const comparable = (text: string): string => text.normalize('NFC').toLowerCase()
