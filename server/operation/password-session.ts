// Viewer sessions with the password of an encrypted document (5.2 of the specification). A document token may not send the
// password with its requests; it opens a session, which requests with the same token find. The password is stored sealed,
// for a bounded time, in the store, so that every process knows it.
import type { DocumentCaller } from '../auth/caller.js'
import type { PasswordSessionRow } from '../rows/password-session.js'
import type { Slot } from '../storage/table.js'
import type { Context } from './operation.js'

export interface PasswordSession {
  readonly password: Uint8Array
  readonly openedAs: PasswordSessionRow['openedAs']
}

interface SessionPlace {
  readonly slot: Slot<PasswordSessionRow>
  /** Place for which the password is sealed. */
  readonly place: string
}

interface SessionContext extends Pick<Context, 'deployment'> {
  readonly caller: DocumentCaller
}

interface DocumentKey {
  readonly tenant: string
  readonly document: string
}

/**
 * Returns the place of the session of a token. It belongs to the token alone: the id of a viewer session is no secret,
 * because events and the audit log name it.
 */
export function sessionPlaceOf(
  { deployment, caller }: SessionContext,
  { tenant, document }: DocumentKey,
): SessionPlace {
  const { layerName, jti } = caller
  const id = deployment.sealing.fingerprint(JSON.stringify(['password-session', document, layerName, jti]))
  return { slot: deployment.tables.passwordSessions.at([tenant, document, id]), place: `password/${document}/${id}` }
}

/** Returns the running session of a request; undefined if there is none. */
export async function findPasswordSession(
  context: SessionContext,
  key: DocumentKey,
): Promise<PasswordSession | undefined> {
  const { sealing, clock } = context.deployment
  const { slot, place } = sessionPlaceOf(context, key)
  const [row] = await context.deployment.tables.getMany([slot])
  if (row === undefined || row.expiresAt <= clock.now()) return undefined
  try {
    return { password: sealing.open(Buffer.from(row.sealed, 'base64'), place), openedAs: row.openedAs }
  } catch {
    return undefined // The sealing key was replaced; the viewer asks for the password again.
  }
}
