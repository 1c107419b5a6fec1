// Session id of a viewer, which recognises its own changes in the event stream by it.
import type { Context, DocumentContext } from './operation.js'

/** Returns null for a malformed id: it has no effect on the change, so it is ignored. */
export function sessionOf({ headers }: Pick<Context, 'headers'>): string | null {
  const id = headers['x-engine-session-id']
  return typeof id === 'string' && /^[\x21-\x7e]{1,256}$/.test(id) ? id : null
}

/**
 * Returns the id as events and the audit log name it. That of an encrypted document helps to open it after a renewal of
 * the token, so that others get its fingerprint only.
 */
export function recordedSessionOf(
  context: Pick<DocumentContext, 'headers' | 'document' | 'deployment'>,
): string | null {
  const id = sessionOf(context)
  if (id === null || context.document.row.encryption?.state !== 'encrypted') return id
  return context.deployment.sealing.fingerprint(JSON.stringify(['session', context.document.internal, id]))
}
