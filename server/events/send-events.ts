// `GET L/events`: opens an event stream after the last event of the reader.
import { streamAccountOf } from '../operation/account.js'
import { hasRights, permissionBitsIn } from '../operation/authority.js'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import { forbidden, invalidArg } from '../refusals/refusal.js'
import type { EventsQuery } from '../schemas/events.js'
import { followEvents } from './follow-events.js'

/** Whoever may read annotations sees the names of their authors. */
const naming = { kind: 'document', capabilities: ['doc.annotate.read'] } as const

/**
 * Throws `InvalidArg` for a `Last-Event-ID` that is not an audit id, and `Forbidden` for a reader who may not see the
 * names of others.
 */
export function sendEvents({ presence: isPresent = false }: EventsQuery, context: DocumentContext): BytesAnswer {
  const { deployment, caller, document, headers, signal } = context
  const reader = { account: streamAccountOf(context), token: 'jti' in caller ? caller.jti : undefined }
  const after = lastEventOf(headers['last-event-id']) ?? document.row.auditId
  if (isPresent && !hasRights(naming, caller, permissionBitsIn(context)))
    throw forbidden(`it lacks ${naming.capabilities}`)
  return {
    contentType: 'text/event-stream',
    // This header disables buffering in proxies, which would delay events.
    headers: { 'X-Accel-Buffering': 'no' },
    body: deployment.eventStreams.start(reader, signal(), (end) =>
      followEvents(context, { after, isPresent, signal: end }),
    ),
  }
}

function lastEventOf(header: string | readonly string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  if (typeof header === 'string' && /^[0-9]{1,15}$/.test(header)) return Number(header)
  throw invalidArg('Last-Event-ID must be the id of an event', { header: 'Last-Event-ID' })
}
