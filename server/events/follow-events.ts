// Events of a reader: every change of the layer after the last one it received, once each, in commit order, and who else
// reads the layer, while its token is valid.

import { limits } from '../limits.js'
import { reread } from '../operation/authority.js'
import type { DocumentContext } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import type { AuditRow } from '../rows/audit.js'
import { auditTopic } from '../storage/audit-topic.js'
import { tenantTopic } from '../storage/tenant-topic.js'
import { auditEvent } from './audit-event.js'
import { Company } from './company.js'
import { frameOf, heartbeat } from './frames.js'
import { News } from './news.js'
import { pauseFor } from './pause.js'

export interface Following {
  /** Id of the last event that the reader has. */
  readonly after: number
  /** True if the reader is shown to others, and told about them. */
  readonly isPresent: boolean
  readonly signal: AbortSignal
}

/** Yields the events. Ends when the signal is aborted, when the token expires, or when it is no longer valid. */
export async function* followEvents(
  context: DocumentContext,
  { after, isPresent, signal }: Following,
): AsyncGenerator<string, void> {
  const { deployment, document, tenant } = context
  const { bus, clock } = deployment
  const news = new News(bus, [auditTopic(document.internal), tenantTopic(tenant.internal)])
  const company = isPresent ? new Company(context, () => news.tell()) : undefined
  let cursor = after
  try {
    // The first frame is sent at once, so that the reader sees that the stream is open.
    yield heartbeat
    let sentAt = clock.now()
    while (!signal.aborted) {
      const current = await currentContext(context)
      if (!current) return yield frameOf({ event: 'auth-revoked', data: {} })
      if (leftMs(current) <= 0) return yield frameOf({ event: 'auth-expiring', data: {} })
      const frames = await framesBehind(cursor, current)
      const sent = [...frames.sent, ...(company?.news() ?? [])]
      yield* sent
      cursor = frames.cursor
      if (sent.length > 0) sentAt = clock.now()
      else if (clock.now() - sentAt >= limits.eventHeartbeatMs) {
        yield heartbeat
        sentAt = clock.now()
      }
      if (cursor === current.document.row.auditId) {
        // Changes in quick succession are sent together.
        if (frames.sent.length > 0) await pauseFor(limits.eventPauseMs, signal)
        await news.wait(Math.min(limits.eventPollMs, leftMs(current)), signal)
      }
    }
  } finally {
    news.close()
    company?.leave()
  }
}

/** Returns the context with current rows; undefined if the caller is no longer authorised. */
async function currentContext(context: DocumentContext): Promise<DocumentContext | undefined> {
  try {
    return await reread(context)
  } catch (error) {
    if (error instanceof Refusal && revocationCodes.has(error.code)) return undefined
    throw error
  }
}

const revocationCodes: ReadonlySet<string> = new Set(['Unauthenticated', 'Forbidden', 'NotFound'])

/** Returns the time until the reader must reconnect with another token. */
function leftMs({ caller, deployment }: DocumentContext): number {
  if (!('expiresAt' in caller)) return Number.POSITIVE_INFINITY
  return caller.expiresAt * 1000 - limits.eventExpiryNoticeMs - deployment.clock.now()
}

interface Frames {
  readonly sent: readonly string[]
  /** Audit id up to which everything was sent, or is not for this reader. */
  readonly cursor: number
}

async function framesBehind(cursor: number, context: DocumentContext): Promise<Frames> {
  const head = context.document.row.auditId
  // A cursor beyond the newest audit id belongs to another document of the same public id, or to a lost copy of this
  // one.
  const isLost = cursor > head || head - cursor > context.deployment.eventStreams.replayRowsMax
  if (isLost) return { sent: [frameOf({ event: 'full-refresh', data: {}, id: head })], cursor: head }
  const rows = cursor < head ? await rowsAfter(cursor, context) : []
  const sent: string[] = []
  for (const { id, row } of rows) {
    if (row.layerName === context.layerName) {
      sent.push(frameOf({ event: 'mutation', data: await auditEvent(id, row, context), id }))
    } else if (row.kind === publicationKind) {
      sent.push(frameOf({ event: 'full-refresh', data: {}, id }))
    }
  }
  return { sent, cursor: rows.at(-1)?.id ?? head }
}

/** Kind of the audit row that gives the document a new version, which every other layer shows too. */
const publicationKind = 'signature.complete'

interface NumberedRow {
  readonly id: number
  readonly row: AuditRow
}

/** Reads a batch of audit rows after the cursor, none newer than the rows of this request. */
async function rowsAfter(cursor: number, context: DocumentContext): Promise<readonly NumberedRow[]> {
  const { deployment, tenant, document } = context
  const place = [tenant.internal, document.internal] as const
  const rows: NumberedRow[] = []
  const options = {
    after: [...place, cursor],
    through: [...place, document.row.auditId],
    limit: limits.eventBatchRowsMax,
  } as const
  for await (const { key, row } of deployment.tables.audits.range(place, options)) rows.push({ id: key[2], row })
  return rows
}
