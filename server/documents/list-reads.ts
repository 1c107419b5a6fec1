// `documents.reads`: pages through the log of reads of a document, newest first.
import type { Static } from 'typebox'
import { type PageQuery, pageOf } from '../http/paging.js'
import type { TenantContext } from '../operation/operation.js'
import type { ReadKind, ReadRow } from '../rows/read.js'
import type { ReadEntry, ReadLog } from '../schemas/document-history.js'
import { findDocument } from './find.js'

export interface ReadsQuery extends PageQuery {
  readonly sub?: string
  readonly kind?: ReadKind
}

export async function listReads(
  id: string,
  { sub, kind, ...query }: ReadsQuery,
  context: TenantContext,
): Promise<Static<typeof ReadLog>> {
  const { deployment, tenant } = context
  const document = await findDocument(id, context)
  // What happened up to this request is in the answer.
  await deployment.readLog.flush()
  const place = [tenant.internal, document.internal] as const
  const { items, nextCursor } = await pageOf(query, {
    from: (last) =>
      deployment.tables.reads.range(place, {
        isReversed: true,
        ...(last === undefined ? {} : { after: [...place, Number(last)] }),
      }),
    cursorOf: ({ key: [, , readId] }) => String(readId),
    isCursor: (text) => /^[1-9]\d{0,14}$/.test(text),
    isWanted: ({ row }) => row.sub === (sub ?? row.sub) && row.kind === (kind ?? row.kind),
  })
  return { entries: items.map(({ key: [, , readId], row }) => describeRead(readId, row)), nextCursor }
}

export function describeRead(id: number, row: ReadRow): Static<typeof ReadEntry> {
  const { kind, from, to, count, sub, share, address, layerName, pages } = row
  return { id, ts: from, lastTs: to, kind, count, sub, share, address, layerName, pages }
}
