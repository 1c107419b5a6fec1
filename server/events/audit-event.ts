// Converts an audit row to an event, without content that the reader may not see.
import { payloadOf, readStoredChange } from '../changes/stored-change.js'
import { withheldUntil } from '../layers/redacted.js'
import type { DocumentContext } from '../operation/operation.js'
import { publicSessionOf, recordedSessionOf, sessionOf } from '../operation/session-id.js'
import type { AuditRow } from '../rows/audit.js'
import type { AuditEvent } from '../schemas/events.js'
import { maySee } from './may-see.js'

export async function auditEvent(id: number, row: AuditRow, context: DocumentContext): Promise<AuditEvent> {
  const session = publicSessionOf(row.originSessionId, context)
  // Readers know their own id, and not the ids of others.
  const isOwn = session !== null && session === recordedSessionOf(context)
  const payload = await visiblePayload(id, row, context)
  return {
    id,
    ts: row.at,
    sub: row.sub,
    kind: row.kind,
    pageObjectNumber: row.page,
    affectedPages: row.affectedPages,
    originSessionId: isOwn ? sessionOf(context) : session,
    idempotencyKey: row.opId,
    undoOf: row.undoOf,
    // The moved pins are sent to every reader: its cached content is stale, whether or not it may see the change.
    ...(payload === undefined ? { withheld: true, payload: { meta: { cacheDelta: row.cacheDelta } } } : { payload }),
  }
}

/** Returns the payload; undefined if it is withheld from this reader, or from all readers after a redaction. */
async function visiblePayload(id: number, row: AuditRow, context: DocumentContext): Promise<unknown> {
  const { deployment, tenant, document, layer, layerName } = context
  if (row.content === null || !maySee(row, context)) return undefined
  const place = { tenant: tenant.internal, document: document.internal, layerName }
  const { headVersion } = document.row
  if (id <= (await withheldUntil(deployment.tables, place, { layer, headVersion }))) return undefined
  return payloadOf(row.kind, (await readStoredChange(deployment, place, row.content)).answer)
}
