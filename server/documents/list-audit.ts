// `documents.audit`: pages through the audit log of a document, newest first. It says who changed what and when; the
// content of changes is for those who may read it, by `doc.events`.
import type { Static } from 'typebox'
import { type PageQuery, pageOf } from '../http/paging.js'
import type { TenantContext } from '../operation/operation.js'
import { publicSessionOf } from '../operation/session-id.js'
import type { AuditRow } from '../rows/audit.js'
import type { AuditEntry, AuditLog } from '../schemas/document-history.js'
import { findDocument } from './find.js'

export interface AuditQuery extends PageQuery {
  readonly layerName?: string
  readonly sub?: string
  readonly kind?: string
}

export async function listAudit(
  id: string,
  { layerName, sub, kind, ...query }: AuditQuery,
  context: TenantContext,
): Promise<Static<typeof AuditLog>> {
  const document = await findDocument(id, context)
  const place = [context.tenant.internal, document.internal] as const
  const { items, nextCursor } = await pageOf(query, {
    from: (last) =>
      context.deployment.tables.audits.range(place, {
        isReversed: true,
        ...(last === undefined ? {} : { after: [...place, Number(last)] }),
      }),
    cursorOf: ({ key: [, , auditId] }) => String(auditId),
    isCursor: (text) => /^[1-9]\d{0,14}$/.test(text),
    isWanted: ({ row }) =>
      row.layerName === (layerName ?? row.layerName) && row.sub === (sub ?? row.sub) && row.kind === (kind ?? row.kind),
  })
  const { deployment } = context
  const entries = items.map(({ key: [, , auditId], row }) => ({
    ...describeEntry(auditId, row),
    originSessionId: publicSessionOf(row.originSessionId, { deployment, document }),
  }))
  return { entries, nextCursor }
}

export function describeEntry(id: number, row: AuditRow): Omit<Static<typeof AuditEntry>, 'originSessionId'> {
  return {
    id,
    ts: row.at,
    layerName: row.layerName,
    sub: row.sub,
    kind: row.kind,
    pageObjectNumber: row.page,
    affectedPages: row.affectedPages,
    idempotencyKey: row.opId,
    undoOf: row.undoOf,
    facts: row.facts ?? null,
    undoable: row.isUndoable && row.content !== null,
  }
}
