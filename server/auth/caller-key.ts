// Keys of callers: each has its own opIds in each layer, and each credential its own bounds.
import { type Caller, subjectOf } from './caller.js'

/**
 * Returns a key that no `sub` can forge for the API token or a tenant token. People who share one `sub` (a team, an
 * application) are distinguished by `userId`, or by name if they have none, so that nobody undoes, or receives the
 * response of, another person's change.
 */
export function callerKeyOf(caller: Caller): string {
  if (caller.kind === 'api') return 'api'
  const sub = subjectOf(caller)
  if (caller.kind === 'tenant') return `tenant ${sub}`
  const { userId, displayName } = caller.kind === 'document' ? caller.person : {}
  if (userId !== undefined) return `user ${JSON.stringify([sub, userId])}`
  return displayName === undefined ? `sub ${sub}` : `name ${JSON.stringify([sub, displayName])}`
}

/** Returns the key of what was issued once: the share of a session, whatever its visitors are called, else the token. */
export function credentialKeyOf(caller: Caller): string {
  if (caller.kind === 'document' && caller.share !== undefined) return shareKey(caller.share)
  return 'jti' in caller ? `token ${caller.jti}` : caller.kind
}

/** `share`: internal id. */
export const shareKey = (share: string): string => `share ${share}`
