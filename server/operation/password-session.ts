// Viewer sessions with the password of an encrypted document (5.2 of the specification). A document token may not send the
// password with its requests; it opens a session, which requests with the same token find, and those of the same window
// after the token was renewed. The password is stored sealed, for a bounded time, in the store, so that every process
// knows it.
import type { DocumentCaller } from '../auth/caller.js'
import { callerKeyOf } from '../auth/caller-key.js'
import type { PasswordSessionRow } from '../rows/password-session.js'
import type { Slot } from '../storage/table.js'
import type { Context } from './operation.js'
import { sessionOf } from './session-id.js'

export interface PasswordSession {
  readonly password: Uint8Array
  readonly openedAs: PasswordSessionRow['openedAs']
}

export interface SessionPlace {
  readonly id: string
  readonly slot: Slot<PasswordSessionRow>
  /** Place for which the password is sealed. */
  readonly place: string
}

interface SessionContext extends Pick<Context, 'deployment' | 'headers'> {
  readonly caller: DocumentCaller
}

export interface DocumentKey {
  readonly tenant: string
  readonly document: string
}

/** Length of an id from which nobody guesses it. */
const secretCharacters = 32

/** Returns the places of the session: that of the token, and that of the window, which outlives the token. */
export function sessionPlacesOf(context: SessionContext, key: DocumentKey): readonly [SessionPlace, ...SessionPlace[]] {
  const { caller } = context
  const window = sessionOf(context)
  const isSecret = window !== null && window.length >= secretCharacters
  const ofToken = placeOf(context, key, [caller.jti])
  return isSecret ? [ofToken, placeOf(context, key, [...ownerOf(caller), window])] : [ofToken]
}

/** Returns the place of the list of all sessions that the token or the share has. */
export const sessionListOf = (context: SessionContext, key: DocumentKey): SessionPlace =>
  context.caller.share === undefined
    ? sessionPlacesOf(context, key)[0]
    : placeOf(context, key, [context.caller.share, 'all'])

/** Returns who a session is for, whatever the token: the visitors of a share, or a person. */
export const ownerOf = (caller: DocumentCaller): readonly (string | null)[] => [
  caller.share ?? null,
  caller.share === undefined ? callerKeyOf(caller) : null,
]

function placeOf(
  { deployment, caller }: SessionContext,
  { tenant, document }: DocumentKey,
  owner: readonly (string | null)[],
): SessionPlace {
  const name = JSON.stringify(['password-session', document, caller.layerName, ...owner])
  const id = deployment.sealing.fingerprint(name)
  return {
    id,
    slot: deployment.tables.passwordSessions.at([tenant, document, id]),
    place: `password/${document}/${id}`,
  }
}

/** Returns the running session of a request; undefined if there is none. */
export async function findPasswordSession(
  context: SessionContext,
  key: DocumentKey,
): Promise<PasswordSession | undefined> {
  const { sealing, clock, tables } = context.deployment
  const places = sessionPlacesOf(context, key)
  const rows = await tables.getMany(places.map(({ slot }) => slot))
  for (const [index, { place }] of places.entries()) {
    const row = rows[index]
    if (row === undefined || row.expiresAt <= clock.now()) continue
    try {
      return { password: sealing.open(Buffer.from(row.sealed, 'base64'), place), openedAs: row.openedAs }
    } catch {
      // The sealing key was replaced; the viewer asks for the password again.
    }
  }
  return undefined
}
