// Session id of a viewer, which recognises its own changes in the event stream by it.
import type { Deployment } from './deployment.js'
import type { Context, DocumentContext } from './operation.js'

/** Returns null for a malformed id: it has no effect on the change, so it is ignored. */
export function sessionOf({ headers }: Pick<Context, 'headers'>): string | null {
  const id = headers['x-engine-session-id']
  return typeof id === 'string' && /^[\x21-\x7e]{1,256}$/.test(id) ? id : null
}

/** Returns the id as it is recorded: its fingerprint, because an id helps to open encrypted documents. */
export function recordedSessionOf(
  context: Pick<DocumentContext, 'headers' | 'document' | 'deployment'>,
): string | null {
  const id = sessionOf(context)
  return id === null ? null : fingerprintOf(id, context)
}

/** Returns a recorded id as everybody may know it. Earlier releases recorded the id itself for unencrypted documents. */
export const publicSessionOf = (recorded: string | null, place: SessionPlace): string | null =>
  recorded === null || fingerprintPattern.test(recorded) ? recorded : fingerprintOf(recorded, place)

const fingerprintPattern = /^[0-9a-f]{64}$/

interface SessionPlace {
  readonly deployment: Pick<Deployment, 'sealing'>
  readonly document: { readonly internal: string }
}

const fingerprintOf = (id: string, { deployment, document }: SessionPlace): string =>
  deployment.sealing.fingerprint(JSON.stringify(['session', document.internal, id]))
